package devstack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os/exec"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
)

// devAccount is what geth's dev mode unlocks to seal blocks with.
const devAccount = "0x71562b71999873db5b286df957af199ec94617f7"

// fundedWei is what each funded account holds at block 0: 1,000,000 ether.
var fundedWei = new(big.Int).Mul(big.NewInt(1_000_000), big.NewInt(1_000_000_000_000_000_000))

// makeGenesis takes geth's own dev genesis, so that all precompiles and
// system contracts are there, and removes the fork that is not live on any
// network yet: with it an ERC-20 transfer costs three times as much gas.
func makeGenesis(ctx context.Context, geth string, s gethSettings) ([]byte, error) {
	cmd := exec.CommandContext(ctx, geth, "--dev", "dumpgenesis")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("geth dumpgenesis: %w\n%s", err, stderr.Bytes())
	}
	return Genesis(&stdout, s.ChainID, s.GasLimit, s.Fund)
}

// Genesis turns what `geth --dev dumpgenesis` prints into the genesis of a chain like ours; a zero takes the default. It
// serves those who run geth by other means.
func Genesis(dump io.Reader, chainID, gasLimit uint64, fund []string) ([]byte, error) {
	fund, err := normalAddresses(fund)
	if err != nil {
		return nil, err
	}
	var genesis map[string]any
	decoder := json.NewDecoder(dump)
	decoder.UseNumber()
	if err := decoder.Decode(&genesis); err != nil {
		return nil, fmt.Errorf("decode geth's dev genesis: %w", err)
	}
	config, configOK := genesis["config"].(map[string]any)
	alloc, allocOK := genesis["alloc"].(map[string]any)
	if !configOK || !allocOK {
		return nil, fmt.Errorf("geth's dev genesis has no config or no alloc")
	}
	delete(config, "bogotaTime")
	config["chainId"] = orDefault(chainID, defaultChainID)
	genesis["gasLimit"] = fmt.Sprintf("0x%x", orDefault(gasLimit, defaultGasLimit))
	for _, address := range append([]string{devAccount}, fund...) {
		account := map[string]any{"balance": fmt.Sprintf("0x%x", fundedWei)}
		alloc[strings.TrimPrefix(strings.ToLower(address), "0x")] = account
	}
	return json.MarshalIndent(genesis, "", "  ")
}

// normalAddresses returns sorted lower-case addresses without repeats.
func normalAddresses(addresses []string) ([]string, error) {
	set := map[string]bool{}
	for _, a := range addresses {
		if !common.IsHexAddress(a) {
			return nil, fmt.Errorf("%q is not an address", a)
		}
		set[strings.ToLower(common.HexToAddress(a).Hex())] = true
	}
	return slices.Sorted(maps.Keys(set)), nil
}
