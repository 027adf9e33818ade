package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/quittance/quittance/settlement"
)

// printer writes results to stdout: text for people, or one JSON object per line for scripts.
type printer struct {
	json bool
	w    io.Writer
}

func (p printer) object(v any) error {
	if err := json.NewEncoder(p.w).Encode(v); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// one prints a value as an object, or its pairs of names and values as lines.
func (p printer) one(v any, pairs ...[2]string) error {
	if p.json {
		return p.object(v)
	}
	table := tabwriter.NewWriter(p.w, 0, 4, 2, ' ', 0)
	for _, pair := range pairs {
		if pair[1] != "" {
			fmt.Fprintf(table, "%s\t%s\n", pair[0], pair[1])
		}
	}
	return table.Flush()
}

// rows prints a list: one object per line, or a table.
func rows[T any](p printer, list []T, header []string, columns func(T) []string) error {
	if p.json {
		for _, v := range list {
			if err := p.object(v); err != nil {
				return err
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(p.w, 0, 4, 2, ' ', 0)
	line(table, header)
	for _, v := range list {
		line(table, columns(v))
	}
	return table.Flush()
}

func line(w io.Writer, cells []string) {
	for i, cell := range cells {
		if i > 0 {
			fmt.Fprint(w, "\t")
		}
		fmt.Fprint(w, cell)
	}
	fmt.Fprintln(w)
}

func (p printer) settlement(s settlement.Settlement) error {
	snap := s.Snapshot()
	tx, block := "", ""
	if snap.TxHash != nil {
		tx = snap.TxHash.Hex()
	}
	if snap.BlockNumber != nil {
		block = fmt.Sprint(*snap.BlockNumber)
	}
	return p.one(snap,
		[2]string{"key", snap.Key}, [2]string{"state", string(snap.State)}, [2]string{"account", snap.Account},
		[2]string{"amount", snap.Amount + " " + snap.Asset}, [2]string{"to", snap.To},
		[2]string{"tx", tx}, [2]string{"block", block}, [2]string{"reason", snap.Reason}, [2]string{"retry of", snap.RetryOf})
}
