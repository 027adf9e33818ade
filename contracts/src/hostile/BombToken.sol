// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title BombToken: reverts a transfer with 200,000 bytes, hoping that somebody copies them.
/// @notice Test only.
contract BombToken {
    function balanceOf(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function transfer(address, uint256) external pure returns (bool) {
        assembly ("memory-safe") {
            revert(mload(0x40), 200000)
        }
    }
}
