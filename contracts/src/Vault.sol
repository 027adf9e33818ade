// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title Vault: holds coins and tokens and pays each settlement id at most once, for ever.
/// @notice The guard against a double payment is one storage word per id, never cleared. It does not depend on nonces,
/// on the order of transactions or on anything a database remembers: any number of copies of a payment may reach the
/// chain, in any order and in any branch, and one of them pays.
///
/// Who may do what:
///   operators  settle, revoke, pause
///   owner      withdraw, setOperator, pause, unpause, hand over the ownership in two steps; never an operator
///   anyone     deposit, depositNative
///
/// What a pause stops: settle and both deposits. It does not stop revoke (marking an id as never to be paid moves no
/// money and is what one wants in an emergency) nor the owner.
///
/// Every function that changes state carries one transient reentrancy guard, so while the vault calls a token or a
/// recipient nothing in it can change. Ids are written and events are emitted before that call.
///
/// Tokens: what returns nothing is accepted, what returns false reverts. With a token that takes a fee on transfer,
/// a deposit credits what arrived; a settlement takes `amount` from the vault, its event says `amount`, and the recipient
/// gets less. A token that takes its fee from the sender on top of `amount`, or whose balances move by themselves, would
/// make the books wrong: such tokens are refused where assets are registered, the vault does not pay the gas to
/// detect them.
contract Vault is Ownable2Step, Pausable, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    enum Status {
        Unused,
        Settled,
        Revoked
    }

    /// @dev Address that stands for the chain's own coin wherever a token is expected.
    address private constant NATIVE = address(0);

    /// @dev Recipients up to this one are refused: the zero address, Ethereum's precompiles (0x01 to 0x11, 0x100) and those of other
    /// chains, and the system contracts that some chains put at 0x1000 and above. Nobody holds the key of such an address.
    uint160 private constant LAST_RESERVED_ADDRESS = 0xffff;

    /// @dev What a recipient of the native coin may spend is 50,000 gas: this much, and the 2,300 that the EVM adds to a
    /// call with value. Enough for a smart wallet behind a proxy, too little to make a settlement dear.
    uint256 private constant NATIVE_CALL_GAS = 50_000 - 2_300;

    /// @dev At most this much of a token's revert data is handed on, so a token cannot burn gas with a huge one.
    uint256 private constant MAX_REASON_BYTES = 256;

    /// @notice 0 unused, 1 settled, 2 revoked. Leaves 0 at most once and never changes again.
    mapping(bytes32 id => Status) public status;

    /// @notice Whether an address may settle and revoke.
    mapping(address account => bool) public isOperator;

    event Settled(bytes32 indexed id, address indexed token, address indexed to, uint256 amount);
    event Revoked(bytes32 indexed id);
    event Deposited(bytes32 indexed account, address indexed token, address indexed from, uint256 amount);
    event Withdrawn(address indexed token, address indexed to, uint256 amount);
    event OperatorSet(address indexed operator, bool allowed);

    /// @dev The caller may not settle or revoke.
    error NotOperator(address caller);
    /// @dev The caller may not pause.
    error NotOwnerOrOperator(address caller);
    /// @dev An owner was to become operator, or an operator owner.
    error OwnerCannotBeOperator(address account);
    /// @dev The zero address cannot be an operator.
    error ZeroOperator();
    /// @dev The id was settled or revoked before: `status` says which.
    error IdUsed(bytes32 id);
    /// @dev Zero, the vault, the token itself or a reserved address (see LAST_RESERVED_ADDRESS).
    error BadRecipient(address to);
    /// @dev Nothing to pay, to withdraw or to deposit.
    error ZeroAmount();
    /// @dev A deposit must say whose it is.
    error ZeroAccount();
    /// @dev There is no contract at this address.
    error NotAToken(address token);
    /// @dev The vault's balance did not grow in a deposit.
    error NothingReceived(address token);
    /// @dev The vault holds less than it was told to pay. The recipient is not to blame.
    error InsufficientVaultBalance(address token, uint256 balance, uint256 amount);
    /// @dev The recipient reverted, or needs more gas than it gets.
    error NativeTransferFailed(address to);
    /// @dev The token reverted with `reason`, or returned it instead of true (cut to 256 bytes). The reason is wrapped so that no token can
    /// speak with the vault's voice: a bare IdUsed or EnforcedPause always comes from the vault.
    error TokenTransferFailed(address token, bytes reason);
    /// @dev Coins without an account: call depositNative.
    error UseDepositNative();
    /// @dev A vault without an owner could never be unpaused or emptied.
    error OwnershipCannotBeRenounced();

    modifier onlyOperator() {
        if (!isOperator[msg.sender]) revert NotOperator(msg.sender);
        _;
    }

    constructor(address initialOwner, address[] memory operators) Ownable(initialOwner) {
        for (uint256 i = 0; i < operators.length; ++i) {
            _setOperator(operators[i], true);
        }
    }

    /// @dev Refused, so that every coin that arrives by a plain transfer is an error of its sender and not a surplus here.
    receive() external payable {
        revert UseDepositNative();
    }

    /// @notice Pays `amount` of `token` (the zero address: native coin) to `to`, once per id for ever.
    /// @dev A used id is reported before a pause or a bad argument: it is the one answer that never changes.
    function settle(bytes32 id, address token, address to, uint256 amount) external nonReentrant onlyOperator {
        _use(id, Status.Settled);
        _requireNotPaused();
        _checkPayout(token, to, amount);
        emit Settled(id, token, to, amount);
        _pay(token, to, amount);
    }

    /// @notice Marks an id as used without paying it: after this no settle of that id can succeed. Also while paused.
    function revoke(bytes32 id) external nonReentrant onlyOperator {
        _use(id, Status.Revoked);
        emit Revoked(id);
    }

    /// @notice Takes `amount` of `token` from the caller and reports what arrived as a deposit to `account`.
    /// @dev The reported amount is the growth of the vault's balance, as the token tells it: only for registered tokens is it worth anything.
    function deposit(bytes32 account, address token, uint256 amount) external nonReentrant whenNotPaused {
        if (account == bytes32(0)) revert ZeroAccount();
        if (amount == 0) revert ZeroAmount();
        if (token.code.length == 0) revert NotAToken(token);
        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        uint256 afterwards = IERC20(token).balanceOf(address(this));
        if (afterwards <= before) revert NothingReceived(token);
        emit Deposited(account, token, msg.sender, afterwards - before);
    }

    /// @notice Takes the native coins sent along as a deposit to `account`.
    function depositNative(bytes32 account) external payable nonReentrant whenNotPaused {
        if (account == bytes32(0)) revert ZeroAccount();
        if (msg.value == 0) revert ZeroAmount();
        emit Deposited(account, NATIVE, msg.sender, msg.value);
    }

    /// @notice Takes funds out of the vault without a settlement. Also while paused.
    function withdraw(address token, address to, uint256 amount) external nonReentrant onlyOwner {
        _checkPayout(token, to, amount);
        emit Withdrawn(token, to, amount);
        _pay(token, to, amount);
    }

    /// @notice Adds or removes an operator. Setting what is already so changes nothing and emits the event again.
    function setOperator(address operator, bool allowed) external nonReentrant onlyOwner {
        _setOperator(operator, allowed);
    }

    /// @notice The emergency brake. An operator may pull it too: it can do worse harm with settle, and it is awake.
    function pause() external nonReentrant {
        if (msg.sender != owner() && !isOperator[msg.sender]) revert NotOwnerOrOperator(msg.sender);
        _pause();
    }

    /// @notice Only the owner releases the brake.
    function unpause() external nonReentrant onlyOwner {
        _unpause();
    }

    /// @notice Names the next owner, who must accept. The zero address takes a nomination back.
    function transferOwnership(address newOwner) public override nonReentrant {
        super.transferOwnership(newOwner);
    }

    /// @notice The second step of a handover. Refused while the caller is an operator.
    function acceptOwnership() public override nonReentrant {
        super.acceptOwnership();
    }

    /// @notice Always refused.
    function renounceOwnership() public pure override {
        revert OwnershipCannotBeRenounced();
    }

    /// @dev Every way to become owner leads through here.
    function _transferOwnership(address newOwner) internal override {
        if (isOperator[newOwner]) revert OwnerCannotBeOperator(newOwner);
        super._transferOwnership(newOwner);
    }

    function _setOperator(address operator, bool allowed) private {
        if (operator == address(0)) revert ZeroOperator();
        if (allowed && operator == owner()) revert OwnerCannotBeOperator(operator);
        isOperator[operator] = allowed;
        emit OperatorSet(operator, allowed);
    }

    /// @dev The guard: the only place that writes `status`.
    function _use(bytes32 id, Status use) private {
        if (status[id] != Status.Unused) revert IdUsed(id);
        status[id] = use;
    }

    function _checkPayout(address token, address to, uint256 amount) private view {
        if (uint160(to) <= LAST_RESERVED_ADDRESS || to == address(this) || to == token) revert BadRecipient(to);
        if (amount == 0) revert ZeroAmount();
    }

    /// @dev The only place where value leaves the vault, and always the last act of its caller.
    function _pay(address token, address to, uint256 amount) private {
        if (token == NATIVE) {
            _payNative(to, amount);
        } else if (!IERC20(token).trySafeTransfer(to, amount)) {
            _explainTokenFailure(token, amount);
        }
    }

    /// @dev Copies no return data (the output size is 0), so a recipient cannot make the vault pay for a huge one.
    function _payNative(address to, uint256 amount) private {
        if (address(this).balance < amount) revert InsufficientVaultBalance(NATIVE, address(this).balance, amount);
        bool ok;
        assembly ("memory-safe") {
            ok := call(NATIVE_CALL_GAS, to, amount, 0, 0, 0, 0)
        }
        if (!ok) revert NativeTransferFailed(to);
    }

    /// @dev Runs only after a failed transfer, so that telling "the vault is short" from "the token refuses" costs a payment nothing.
    /// Must be the first thing after the token's call: it begins by reading that call's return data.
    function _explainTokenFailure(address token, uint256 amount) private view {
        bytes memory reason;
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, MAX_REASON_BYTES) { size := MAX_REASON_BYTES }
            reason := mload(0x40)
            mstore(reason, size)
            returndatacopy(add(reason, 0x20), 0, size)
            mstore(0x40, and(add(add(reason, 0x3f), size), not(0x1f)))
        }
        if (token.code.length == 0) revert NotAToken(token);
        (bool known, uint256 held) = _tryBalance(token);
        if (known && held < amount) revert InsufficientVaultBalance(token, held, amount);
        revert TokenTransferFailed(token, reason);
    }

    /// @dev The vault's balance as the token tells it; not known if the token reverts or answers less than a word.
    function _tryBalance(address token) private view returns (bool known, uint256 held) {
        bytes memory query = abi.encodeCall(IERC20.balanceOf, (address(this)));
        assembly ("memory-safe") {
            known := staticcall(gas(), token, add(query, 0x20), mload(query), 0x00, 0x20)
            known := and(known, gt(returndatasize(), 0x1f))
            held := mul(known, mload(0x00))
        }
    }
}
