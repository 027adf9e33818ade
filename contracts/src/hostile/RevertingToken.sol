// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title RevertingToken: claims to hold enough, and reverts every transfer with whatever bytes it was given.
/// @notice Test only. The bytes may imitate an error of the vault or be longer than anyone wants to copy.
contract RevertingToken {
    bytes private reason;

    function setReason(bytes calldata reason_) external {
        reason = reason_;
    }

    function balanceOf(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function transfer(address, uint256) external view returns (bool) {
        return _fail();
    }

    function transferFrom(address, address, uint256) external view returns (bool) {
        return _fail();
    }

    function _fail() private view returns (bool) {
        bytes memory data = reason;
        assembly ("memory-safe") {
            revert(add(data, 0x20), mload(data))
        }
    }
}
