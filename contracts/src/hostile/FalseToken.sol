// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title FalseToken: never moves anything, and says so by returning false instead of reverting.
/// @notice Test only. Everybody seems to own 1,000,000.
contract FalseToken {
    function balanceOf(address) external pure returns (uint256) {
        return 1_000_000;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }

    function transferFrom(address, address, uint256) external pure returns (bool) {
        return false;
    }
}
