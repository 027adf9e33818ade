// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title GasBurner: spends all the gas it is given, whatever one calls on it. Serves as recipient and as token.
/// @notice Test only.
contract GasBurner {
    receive() external payable {
        _burn();
    }

    fallback() external payable {
        _burn();
    }

    function _burn() private pure {
        assembly ("memory-safe") {
            invalid()
        }
    }
}
