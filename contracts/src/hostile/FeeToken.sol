// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title FeeToken: burns a tenth of every transfer, so less arrives than was sent.
/// @notice Test only. Anyone may mint.
contract FeeToken is ERC20("Fee", "FEE") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        uint256 fee = from == address(0) || to == address(0) ? 0 : amount / 10;
        if (fee > 0) super._update(from, address(0), fee);
        super._update(from, to, amount - fee);
    }
}
