package workflows

import (
	"strconv"
	"strings"

	"go.temporal.io/sdk/workflow"

	"github.com/quittance/quittance/settlement"
)

// show puts the settlement's state on the run's page in the Web UI. It costs no event: the page asks the worker for it.
func (r *run) show() { workflow.SetCurrentDetails(r.ctx, r.details()) }

// details is Markdown. Whatever came from outside stands in a code span, where it cannot become a link.
func (r *run) details() string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			b.WriteString("- " + name + ": " + value + "\n")
		}
	}
	s := r.view.Settlement
	if s.State != "" {
		b.WriteString("### " + string(s.State) + "\n\n")
		line("amount", code(r.amount()))
		line("recipient", code(s.To))
		line("account", code(s.Account))
		if s.TxHash != nil {
			line("transaction", code(s.TxHash.Hex()))
		}
		if s.BlockNumber != nil {
			line("block", strconv.FormatUint(*s.BlockNumber, 10))
		}
		if live := r.view.Live; live != nil {
			line("signer", code(live.Signer)+", nonce "+code(live.Nonce))
			line("newest attempt", code(live.Attempt))
		}
		line("reason", code(s.Reason))
		line("an operator asked to", code(string(s.Wish)))
		line("proof", code(string(s.Proof)))
		line("changed", code(r.view.ChangedAt))
	}
	if r.cancelled {
		b.WriteString("\nA cancel request in Temporal does not stop a payment: the settlement goes on. Cancel it with the starter.\n")
	}
	return b.String()
}

// amount reads "12.5 USDC", also before the first read, if the input is sound.
func (r *run) amount() string {
	if s := r.view.Settlement; s.Amount != "" {
		return s.Amount + " " + s.Asset
	}
	return display(r.in)
}

func display(in Input) string {
	units, err := settlement.AmountFromDecimal(in.Amount)
	if err != nil {
		return "an unreadable amount"
	}
	return units.Units(in.Asset.Decimals) + " " + in.Asset.Symbol
}

func (r *run) nonce() string {
	if r.view.Live == nil {
		return "?"
	}
	return r.view.Live.Nonce
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", "'", "\n", " ", "\r", " ").Replace(text) + "`"
}
