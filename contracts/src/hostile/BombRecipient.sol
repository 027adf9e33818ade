// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title BombRecipient: accepts coins and returns as much data as 50,000 gas can make, hoping that the payer copies it.
/// @notice Test only.
contract BombRecipient {
    /// @notice Whether to revert with the data instead of returning it.
    bool public immutable refuses;

    constructor(bool refuses_) {
        refuses = refuses_;
    }

    receive() external payable {
        bool fail = refuses;
        assembly ("memory-safe") {
            if fail { revert(mload(0x40), 125000) }
            return(mload(0x40), 125000)
        }
    }
}
