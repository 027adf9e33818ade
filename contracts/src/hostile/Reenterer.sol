// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Reenterer: an account with code that can own or operate a vault, and that calls back when coins arrive.
/// @notice Test only. It keeps the coins whatever the call answers, and remembers the first four bytes of the answer.
contract Reenterer {
    address private target;
    bytes private data;

    /// @notice Whether the last call went through, the selector it reverted with, and that there was one at all.
    bool public succeeded;
    bytes4 public selector;
    bool public called;

    function callBack(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    /// @notice Does anything in the name of this contract, and hands its revert on unchanged.
    function execute(address to, bytes calldata input) external payable {
        (bool ok, bytes memory answer) = to.call{value: msg.value}(input);
        if (ok) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    /// @notice Makes two calls one after the other in one transaction.
    function twice(address to, bytes calldata first, bytes calldata then) external {
        this.execute(to, first);
        this.execute(to, then);
    }

    receive() external payable {
        if (target == address(0)) return;
        (bool ok, bytes memory answer) = target.call(data);
        (succeeded, selector, called) = (ok, bytes4(answer), true);
    }
}
