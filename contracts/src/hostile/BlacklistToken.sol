// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title BlacklistToken: refuses listed accounts with an old-style message, as large stablecoins do.
/// @notice Test only. Anyone may mint and list.
contract BlacklistToken is ERC20("Blacklist", "BLK") {
    mapping(address => bool) public listed;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function list(address account, bool on) external {
        listed[account] = on;
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!listed[from] && !listed[to], "Blacklistable: account is blacklisted");
        super._update(from, to, amount);
    }
}
