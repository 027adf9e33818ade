// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title PausedToken: pauses with the very error that the vault uses for its own pause.
/// @notice Test only. Anyone may mint, pause and unpause.
contract PausedToken is ERC20("Paused", "PSD"), Pausable {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function pause() external {
        _pause();
    }

    function unpause() external {
        _unpause();
    }

    function _update(address from, address to, uint256 amount) internal override whenNotPaused {
        super._update(from, to, amount);
    }
}
