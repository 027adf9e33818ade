package chain

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/quittance/quittance/settlement"
)

// Terms are the readings and limits that a price depends on. They come from the ledger, one reading per block for all
// settlements, never from a call of a single one.
type Terms struct {
	Market
	TipFloor      settlement.Amount // of the chain
	BlockGasLimit uint64            // of the newest block
	FeeCeiling    settlement.Amount // wei that one settlement of the asset may cost
	CapCeiling    settlement.Amount // the lowest of the lanes that may take it, wei per gas; zero: there is none
	Operators     []common.Address  // signers that may settle, the likeliest first; empty: all whose keys are held
}

// Estimate simulates a payment with one eth_estimateGas and prices it. It takes nothing and may be repeated at will. Only when the
// call reverts because of the recipient does it ask further: all nodes, at one block. An error means that no node answered.
func (s *Sender) Estimate(ctx context.Context, st settlement.Settlement, t Terms) (settlement.Estimate, error) {
	payload, err := s.Payment(st)
	if err != nil {
		return settlement.Estimate{}, err
	}
	operators := t.Operators
	if len(operators) == 0 {
		operators = s.signers.Addresses()
	}
	verdict := callVerdict{callNotOurs, waits(settlement.WaitOperator, "no signer is known")}
	for _, from := range operators {
		var gas hexutil.Uint64
		err := s.pool.Call(ctx, &gas, "eth_estimateGas", callArgs(from, payload))
		if !IsVerdict(err) {
			return settlement.Estimate{}, settlement.Errorf(settlement.Transient, "estimate the payment of %s: %w", st.Key, err)
		}
		switch verdict = judgeCall(err); verdict.fate {
		case callPays:
			estimate := price(payload, uint64(gas), st.GasDoublings, t)
			estimate.Signers = s.signers.Addresses()
			return estimate, nil
		case callNotOurs:
			continue
		case callRefused, callTokenFail:
			return s.confirm(ctx, from, st, payload)
		default: // no other operator would be told anything else
		}
		break
	}
	if verdict.fate == callIDUsed {
		return settlement.Estimate{Verdict: settlement.VerdictIDUsed, Reason: verdict.reason}, nil
	}
	return settlement.Estimate{Verdict: settlement.VerdictWait, Reason: verdict.reason}, nil
}

// price turns an estimate into what a nonce would carry, or says which limit forbids it.
func price(p settlement.Payload, gas uint64, doublings int, t Terms) settlement.Estimate {
	if gas < settleGasMin {
		return waiting(settlement.WaitDoubtful, fmt.Sprintf("an estimate of %d gas is too low for a payment: is there a vault at %s?", gas, p.To))
	}
	if t.CapCeiling.IsZero() {
		return waiting(settlement.WaitLane, "")
	}
	limit, err := GasLimit(gas, doublings, t.BlockGasLimit)
	if err != nil {
		return waiting(settlement.WaitDoubtful, err.Error())
	}
	p.GasLimit = limit
	fees := FirstFees(t.Market, t.TipFloor)
	if err := WithinCeilings(fees, limit, t.FeeCeiling, t.CapCeiling); err != nil {
		return waiting(settlement.WaitFees, err.Error())
	}
	cost, err := MaxCost(p, fees)
	if err != nil {
		return waiting(settlement.WaitFees, err.Error())
	}
	return settlement.Estimate{Verdict: settlement.VerdictPayable, Payload: p, Fees: fees, MaxCost: cost}
}

func waiting(word, detail string) settlement.Estimate {
	return settlement.Estimate{Verdict: settlement.VerdictWait, Reason: waits(word, detail)}
}

func callArgs(from common.Address, p settlement.Payload) map[string]any {
	return map[string]any{"from": from, "to": p.To, "input": hexutil.Bytes(p.Data)}
}

// ballot counts what the nodes say about one payment at one block. A node that gives no answer at that block is not
// healthy and has no vote.
type ballot struct {
	healthy, refused, tokenDown int
	reason                      string
}

// confirm asks every node about the same block whether the recipient is to blame. For a token the vault cannot tell a refused
// recipient from a token that refuses everybody, so the same transfer to an address nobody has used is asked for beside it:
// only if that one works is the recipient the cause.
func (s *Sender) confirm(ctx context.Context, from common.Address, st settlement.Settlement, payload settlement.Payload) (settlement.Estimate, error) {
	var block *struct {
		Number hexutil.Uint64
		Hash   common.Hash
	}
	if err := s.pool.Call(ctx, &block, "eth_getBlockByNumber", "latest", false); err != nil || block == nil {
		return settlement.Estimate{}, settlement.Errorf(settlement.Transient, "confirm the revert of %s: ask for the head: %w", st.Key, err)
	}
	probe, err := s.probe(st)
	if err != nil {
		return settlement.Estimate{}, err
	}
	at := map[string]any{"blockHash": block.Hash, "requireCanonical": false}
	s.pool.Count("eth_call", 2)
	answers := make([][2]callVerdict, len(s.pool.Endpoints()))
	s.pool.each(func(i int, e *Endpoint) error {
		items := []rpc.BatchElem{
			{Method: "eth_call", Args: []any{callArgs(from, payload), at}, Result: new(hexutil.Bytes)},
			{Method: "eth_call", Args: []any{callArgs(from, probe), at}, Result: new(hexutil.Bytes)},
		}
		if err := e.Batch(ctx, items); err != nil {
			return err // the zero verdicts are doubtful: no vote
		}
		answers[i] = [2]callVerdict{judgeCall(items[0].Error), judgeCall(items[1].Error)}
		return nil
	})
	return count(answers).estimate(uint64(block.Number)), nil
}

func count(answers [][2]callVerdict) ballot {
	var b ballot
	for _, answer := range answers {
		payment, probe := answer[0], answer[1]
		if payment.fate == callDoubtful {
			continue
		}
		b.healthy++
		switch {
		case payment.fate == callRefused, payment.fate == callTokenFail && probe.fate == callPays:
			b.refused++
			b.reason = payment.reason
		case payment.fate == callTokenFail:
			b.tokenDown++
			b.reason = payment.reason
		}
	}
	return b
}

func (b ballot) estimate(block uint64) settlement.Estimate {
	switch {
	case 2*b.refused > b.healthy:
		return settlement.Estimate{
			Verdict: settlement.VerdictRefused,
			Reason:  fmt.Sprintf("the payment reverts at block %d on %d of %d nodes: %s", block, b.refused, b.healthy, b.reason),
		}
	case 2*b.tokenDown > b.healthy:
		return waiting(settlement.WaitTokenPaused, "the token refuses every recipient: "+b.reason)
	}
	return waiting(settlement.WaitDoubtful, fmt.Sprintf("%d of %d nodes say at block %d that the recipient refuses", b.refused, b.healthy, block))
}

// probe is the same payment to an address that nobody has used, nor can: it is a hash.
func (s *Sender) probe(st settlement.Settlement) (settlement.Payload, error) {
	st.To = common.BytesToAddress(crypto.Keccak256([]byte("quittance.probe.v1"), st.OnchainID[:]))
	return s.Payment(st)
}
