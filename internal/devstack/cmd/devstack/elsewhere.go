package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/quittance/quittance/internal/devchain"
)

// These commands serve stacks whose servers somebody else starts, such as the containers of docker-compose.yml.

type genesisCmd struct {
	Dump    string `arg:"" type:"existingfile" help:"File with the output of geth --dev dumpgenesis."`
	ChainID uint64 `env:"CHAIN_ID" help:"Chain id (1337)."`
	Signers int    `help:"Signers of the vault (8)."`
}

func (g *genesisCmd) Run(c *cli, s screen) error {
	dump, err := os.Open(g.Dump)
	if err != nil {
		return fmt.Errorf("open geth's genesis: %w", err)
	}
	defer dump.Close()
	path, err := devchain.Genesis(c.Dir, dump, g.ChainID, g.Signers)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, path)
	return nil
}

type settleInCmd struct {
	DatabaseURL   string `required:"" env:"DATABASE_URL" help:"The ledger's Postgres."`
	RPCURL        string `required:"" env:"CHAIN_RPC_URLS" name:"rpc-url" help:"The node."`
	Signers       int    `help:"Signers of the vault (8)."`
	FinalityDepth int    `help:"Blocks that must follow a block before it is final (5)."`
}

func (c *settleInCmd) Run(ctx context.Context, all *cli, s screen) error {
	world, err := devchain.SettleIn(ctx, devchain.Elsewhere{
		Dir: all.Dir, DatabaseURL: c.DatabaseURL, RPCURL: c.RPCURL, Signers: c.Signers, FinalityDepth: c.FinalityDepth})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "vault %s on chain %d is registered with %d signers\n", world.Site.Vault, world.Site.ChainID, len(world.Keys.Signers))
	return nil
}

type probeCmd struct {
	URL string `arg:"" help:"Such as http://127.0.0.1:9464/healthz."`
}

// Run exists because the image has neither a shell nor a fetcher; how long a probe may take is the asker's to say.
func (p *probeCmd) Run(ctx context.Context, s screen) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
	if err != nil {
		return fmt.Errorf("probe: %w", err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("probe: %w", err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(s.out, answer.Body); err != nil {
		return fmt.Errorf("probe %s: %w", p.URL, err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("probe %s: status %s", p.URL, answer.Status)
	}
	return nil
}
