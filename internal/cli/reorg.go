package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/settlement"
)

// reorgCmd is for the day on which the chain leaves a block that was final.
type reorgCmd struct {
	Show    reorgShowCmd    `cmd:"" default:"1" help:"Why the listener stopped, and what the books took from blocks that are gone."`
	Accept  reorgAcceptCmd  `cmd:"" help:"Take the other chain for the right one, and let the listener go on."`
	Correct reorgCorrectCmd `cmd:"" help:"Take back a payment that left the chain for good, by proof."`
}

type reorgShowCmd struct {
	Block string `help:"The last common block; by default the one that the listener found." placeholder:"0x…"`
}

type reorgJSON struct {
	ChainID     uint64       `json:"chain_id"`
	Stopped     string       `json:"stopped"` // why; empty: the listener is not stopped
	CommonBlock *common.Hash `json:"common_block"`
	CommonAt    uint64       `json:"common_number"`
	FinalBlock  common.Hash  `json:"final_block"`
	FinalAt     uint64       `json:"final_number"`
	ledger.Differs
}

func (c *reorgShowCmd) Run(ctx context.Context, s *session) error {
	chainID, _, plan, err := s.reorgPlan(ctx, c.Block)
	if err != nil {
		return err
	}
	return s.showReorg(reorgJSON{ChainID: chainID, Stopped: plan.Stopped, CommonBlock: present(plan.Common), CommonAt: plan.Common.Number,
		FinalBlock: plan.Head.Final.Hash, FinalAt: plan.Head.Final.Number, Differs: plan.Differs})
}

// reorgPlan reads what a command about a reorg is about. Without a block it is the one that the listener found.
func (s *session) reorgPlan(ctx context.Context, text string) (chainID uint64, block common.Hash, plan ledger.ReorgPlan, err error) {
	if block, err = optionalHash("block", text); err != nil {
		return 0, block, plan, err
	}
	desk, err := s.desk(ctx)
	if err != nil {
		return 0, block, plan, err
	}
	plan, err = s.books.ReorgPlan(ctx, desk.ChainID, block)
	return desk.ChainID, block, plan, err
}

func present(b settlement.BlockRef) *common.Hash {
	if b.Hash == (common.Hash{}) {
		return nil
	}
	return &b.Hash
}

func (s *session) showReorg(r reorgJSON) error {
	lines := [][2]string{{"chain", fmt.Sprint(r.ChainID)}, {"stopped", or(r.Stopped, "no")}, {"final block", fmt.Sprintf("%d %s", r.FinalAt, r.FinalBlock)}}
	if r.CommonBlock != nil {
		lines = append(lines, [2]string{"last common block", fmt.Sprintf("%d %s", r.CommonAt, r.CommonBlock)})
	}
	for _, e := range r.Effects {
		what := strings.TrimSpace(strings.Join([]string{e.Key, e.Account, e.Asset}, " "))
		if e.Amount != nil {
			what += " " + e.Amount.String() + " base units"
		}
		lines = append(lines, [2]string{"gone: " + e.Kind, fmt.Sprintf("%s, in block %d, transaction %s", what, e.Number, e.TxHash)})
	}
	for _, n := range r.Nonces {
		lines = append(lines, [2]string{"gone: nonce", strings.TrimSpace(fmt.Sprintf("%d of %s, %s by %s %s", n.Nonce, n.Signer, n.Outcome, n.TxHash, n.Key))})
	}
	return s.out.one(r, lines...)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

type reorgAcceptCmd struct {
	operator
	Block  string `required:"" help:"The last common block, as reorg show names it." placeholder:"0x…"`
	Reason string `required:"" help:"Why, for the record."`
}

func (c *reorgAcceptCmd) Run(ctx context.Context, s *session) error {
	chainID, block, before, err := s.reorgPlan(ctx, c.Block)
	if err != nil {
		return err
	}
	if before.Stopped == "" {
		return settlement.Invalidf("block", "there is nothing to accept: the listener of chain %d is not stopped by a reorg", chainID)
	}
	d, err := s.books.AcceptReorg(ctx, ledger.AcceptedReorg{ChainID: chainID, Block: block, Actor: c.name(), Reason: c.Reason})
	if err != nil {
		return err
	}
	return s.showReorg(reorgJSON{ChainID: chainID, CommonBlock: &block, CommonAt: before.Common.Number, FinalBlock: block, FinalAt: before.Common.Number, Differs: d})
}

type reorgCorrectCmd struct {
	operator
	Key    string `arg:"" help:"A settled settlement whose payment is not on the chain any more."`
	Reason string `required:"" help:"Why, for the record and for the settlement's answer."`
	Tenant string `default:"default" help:"Owner of the key."`
}

// Run asks the nodes for the proof that I7 wants, and corrects the books with it.
func (c *reorgCorrectCmd) Run(ctx context.Context, s *session) error {
	found, err := s.find(ctx, c.Tenant, c.Key)
	if err != nil {
		return err
	}
	site, err := s.chain(ctx)
	if err != nil {
		return err
	}
	head, err := s.books.Head(ctx, site.Config.ChainID)
	if err != nil {
		return err
	}
	unpaid, err := site.Unpaid(ctx, found, head.Final)
	if err != nil {
		return err
	}
	if !unpaid {
		return settlement.Invalidf("key", "must be unpaid on chain: at the final block %d the vault has used its id", head.Final.Number)
	}
	proof := settlement.UnpaidProof{Block: head.Final, NoncesAllocated: found.NoncesAllocated}
	if err := s.books.Correct(ctx, found.Key, c.name(), c.Reason, proof); err != nil {
		if settlement.KindOf(err) == settlement.Stale {
			return settlement.Invalidf("key", "%s", err)
		}
		return err
	}
	if found, err = s.books.Settlement(ctx, found.Key); err != nil {
		return err
	}
	return s.out.settlement(found)
}

func optionalHash(field, text string) (common.Hash, error) {
	if text == "" {
		return common.Hash{}, nil
	}
	raw := common.FromHex(text)
	if len(raw) != common.HashLength || !strings.HasPrefix(text, "0x") || len(text) != 2+2*common.HashLength {
		return common.Hash{}, settlement.Invalidf(field, "must be 0x and 32 bytes")
	}
	return common.BytesToHash(raw), nil
}
