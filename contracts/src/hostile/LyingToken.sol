// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title LyingToken: accepts every transfer, moves nothing, and reports whatever balances it was told to report.
/// @notice Test only. A transfer replaces the reported balance, so it can grow, stay or shrink.
contract LyingToken {
    uint256 private reported;
    uint256 private next;

    /// @notice Reports `now_` until the next transfer or transferFrom and `then_` from there on.
    function lie(uint256 now_, uint256 then_) external {
        reported = now_;
        next = then_;
    }

    function balanceOf(address) external view returns (uint256) {
        return reported;
    }

    function transfer(address, uint256) external returns (bool) {
        reported = next;
        return true;
    }

    function transferFrom(address, address, uint256) external returns (bool) {
        reported = next;
        return true;
    }
}
