// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title RefusingRecipient: accepts no coins, and blames the vault in the vault's own words.
/// @notice Test only.
contract RefusingRecipient {
    error IdUsed(bytes32 id);

    receive() external payable {
        revert IdUsed(bytes32(0));
    }
}
