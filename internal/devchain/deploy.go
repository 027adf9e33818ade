package devchain

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/quittance/quittance/contracts"
)

// TokenSymbol and TokenDecimals describe the dev chain's test token.
const (
	TokenSymbol   = "USDC"
	TokenDecimals = 6
	CoinSymbol    = "ETH"
	CoinDecimals  = 18
)

// Contracts are a deployed vault and test token.
type Contracts struct {
	Vault common.Address
	Token common.Address
	Block uint64 // of the vault's deployment: the listener begins here
}

// Deploy puts a vault, owned by the owner's wallet and operated by the signers, and a test token on the chain.
func Deploy(ctx context.Context, owner *Wallet, operators []common.Address) (Contracts, error) {
	token := append(common.FromHex(contracts.TestTokenMetaData.Bin), contracts.NewTestToken().PackConstructor("Test dollar", TokenSymbol, TokenDecimals)...)
	vault := append(common.FromHex(contracts.VaultMetaData.Bin), contracts.NewVault().PackConstructor(owner.Address(), operators)...)
	receipts, err := owner.Do(ctx, Call{Data: token}, Call{Data: vault})
	if err != nil {
		return Contracts{}, fmt.Errorf("deploy contracts: %w", err)
	}
	return Contracts{Token: receipts[0].ContractAddress, Vault: receipts[1].ContractAddress, Block: receipts[1].BlockNumber.Uint64()}, nil
}

// Deployed reports whether a contract's code is at the address.
func Deployed(ctx context.Context, client *ethclient.Client, address common.Address) (bool, error) {
	code, err := client.CodeAt(ctx, address, nil)
	if err != nil {
		return false, fmt.Errorf("ask code of %s: %w", address, err)
	}
	return len(code) > 0, nil
}

// DepositToken mints test tokens to the wallet and deposits them for a customer, as a user of the vault would.
func (c Contracts) DepositToken(ctx context.Context, w *Wallet, customer common.Hash, amount *big.Int) error {
	token, vault := contracts.NewTestToken(), contracts.NewVault()
	_, err := w.Do(ctx,
		Call{To: &c.Token, Data: token.PackMint(w.Address(), amount)},
		Call{To: &c.Token, Data: token.PackApprove(c.Vault, amount)},
		Call{To: &c.Vault, Data: vault.PackDeposit(customer, c.Token, amount)})
	return err
}

// DepositCoin deposits the chain's own coin for a customer.
func (c Contracts) DepositCoin(ctx context.Context, w *Wallet, customer common.Hash, wei *big.Int) error {
	_, err := w.Do(ctx, Call{To: &c.Vault, Value: wei, Data: contracts.NewVault().PackDepositNative(customer)})
	return err
}

func callMsg(to common.Address, data []byte) ethereum.CallMsg {
	return ethereum.CallMsg{To: &to, Data: data}
}

// BalanceOf asks the test token what an address holds.
func (c Contracts) BalanceOf(ctx context.Context, client *ethclient.Client, who common.Address) (*big.Int, error) {
	token := contracts.NewTestToken()
	answer, err := client.CallContract(ctx, callMsg(c.Token, token.PackBalanceOf(who)), nil)
	if err != nil {
		return nil, fmt.Errorf("ask balance of %s: %w", who, err)
	}
	return token.UnpackBalanceOf(answer)
}
