// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title CallbackToken: calls an address in the middle of every transfer and remembers the answer.
/// @notice Test only. Anyone may mint and set the call; the transfer goes on whatever the call answers.
contract CallbackToken is ERC20("Callback", "CBK") {
    address private target;
    bytes private data;

    /// @notice Whether the last call went through, and what it returned or reverted with.
    bool public succeeded;
    bytes public answer;
    uint256 public calls;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function callBack(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (target == address(0) || from == address(0)) return;
        (succeeded, answer) = target.call(data);
        ++calls;
    }
}
