// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title GasMeter: accepts coins and remembers how much gas came with them.
/// @notice Test only.
contract GasMeter {
    uint256 public gasReceived;

    receive() external payable {
        gasReceived = gasleft();
    }
}
