// Package payouts reads a payouts file and settles it line by line. A file is checked whole before anything is written;
// after that every line may be repeated, since its key decides. It uses intake and must never write money.
package payouts

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/settlement"
)

// Columns are the header's names; they may stand in any order, and there may be no others.
var Columns = []string{"key", "account", "to", "asset", "amount"}

// Line is one payment of a file.
type Line struct {
	Number  int // in the file; the header is line 1
	Request settlement.Request
}

// BadLine is one reason to refuse a file.
type BadLine struct {
	Line  int    `json:"line"`
	Field string `json:"field,omitempty"`
	Rule  string `json:"rule"`
}

func (b BadLine) String() string {
	if b.Field == "" {
		return fmt.Sprintf("line %d: %s", b.Line, b.Rule)
	}
	return fmt.Sprintf("line %d: %s: %s", b.Line, b.Field, b.Rule)
}

// Refused lists every bad line of a file. Nothing of the file was written.
type Refused struct{ Lines []BadLine }

func (r *Refused) Error() string {
	texts := make([]string, len(r.Lines))
	for i, b := range r.Lines {
		texts[i] = b.String()
	}
	return strings.Join(texts, "\n")
}

// Read checks the whole file and returns its lines in order, or *Refused with every bad line. It accepts a byte order mark, CRLF,
// quoted fields and blank lines. It holds all lines in memory: below 100 MB for 100,000, grouping included.
func Read(ctx context.Context, from io.Reader, desk *intake.Desk, tenant string) ([]Line, error) {
	in := bufio.NewReaderSize(from, 1<<16)
	if mark, err := in.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3) // peeked before: cannot fail
	}
	rows := csv.NewReader(in)
	rows.ReuseRecord = true
	rows.FieldsPerRecord = -1
	header, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, &Refused{[]BadLine{{1, "", "must be the header " + strings.Join(Columns, ",")}}}
	}
	if err != nil {
		return nil, unreadable(err)
	}
	places, err := columns(header)
	if err != nil {
		return nil, err
	}
	r := reader{desk: desk, tenant: tenant, places: places, width: len(header), shared: map[string]string{}}
	for {
		record, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var syntax *csv.ParseError
		switch {
		case errors.As(err, &syntax):
			r.bad = append(r.bad, BadLine{syntax.StartLine, "", syntax.Err.Error()}) // the reader goes on with the next line
		case err != nil:
			return nil, fmt.Errorf("read payouts file: %w", err)
		default:
			number, _ := rows.FieldPos(0)
			r.line(number, record)
		}
	}
	if err := r.accounts(ctx); err != nil {
		return nil, err
	}
	if len(r.bad) == 0 && len(r.lines) == 0 {
		r.bad = append(r.bad, BadLine{2, "", "the file has no payments"})
	}
	if len(r.bad) > 0 {
		return nil, &Refused{r.bad}
	}
	return r.lines, nil
}

func unreadable(err error) error {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		return &Refused{[]BadLine{{syntax.StartLine, "", syntax.Err.Error()}}}
	}
	return fmt.Errorf("read payouts file: %w", err)
}

// columns finds the place of each column, or says which is missing, unknown or twice there.
func columns(header []string) (map[string]int, error) {
	places := map[string]int{}
	var bad []BadLine
	for i, name := range header {
		switch _, twice := places[name]; {
		case !utf8.ValidString(name):
			bad = append(bad, BadLine{1, "header", "must be valid UTF-8"})
		case !slices.Contains(Columns, name):
			bad = append(bad, BadLine{1, "header", fmt.Sprintf("has the unknown column %q", name)})
		case twice:
			bad = append(bad, BadLine{1, "header", fmt.Sprintf("has the column %q twice", name)})
		}
		places[name] = i
	}
	for _, name := range Columns {
		if _, found := places[name]; !found {
			bad = append(bad, BadLine{1, "header", fmt.Sprintf("lacks the column %q", name)})
		}
	}
	if len(bad) > 0 {
		return nil, &Refused{bad}
	}
	return places, nil
}

type reader struct {
	desk   *intake.Desk
	tenant string
	places map[string]int
	width  int
	shared map[string]string // accounts and the like, kept once
	lines  []Line
	bad    []BadLine
}

// line checks one record, all but whether its account exists.
func (r *reader) line(number int, record []string) {
	if len(record) != r.width {
		r.bad = append(r.bad, BadLine{number, "", fmt.Sprintf("has %d fields, the header has %d", len(record), r.width)})
		return
	}
	for _, name := range Columns {
		if !utf8.ValidString(record[r.places[name]]) {
			r.bad = append(r.bad, BadLine{number, name, "must be valid UTF-8"})
			return
		}
	}
	request, err := r.desk.Parse(intake.Spec{
		Tenant: r.tenant, Key: strings.Clone(record[r.places["key"]]), Account: r.once(record[r.places["account"]]),
		To: record[r.places["to"]], Asset: record[r.places["asset"]], Amount: record[r.places["amount"]],
	})
	if err == nil {
		err = r.desk.CheckRecipient(request)
	}
	if err != nil {
		bad := badLine(number, err)
		if i, column := r.places[bad.Field]; column && strings.TrimSpace(record[i]) != record[i] {
			bad.Rule += ": it begins or ends with a space"
		}
		r.bad = append(r.bad, bad)
		return
	}
	r.lines = append(r.lines, Line{number, request})
}

func badLine(number int, err error) BadLine {
	var known *settlement.Error
	if errors.As(err, &known) && known.Rule != "" {
		return BadLine{number, known.Field, known.Rule}
	}
	return BadLine{number, "", err.Error()}
}

// accounts checks those of all lines at once. Only an error of the ledger ends the reading.
func (r *reader) accounts(ctx context.Context) error {
	names := map[string]bool{}
	for _, l := range r.lines {
		names[l.Request.Account] = true
	}
	unknown, err := r.desk.Unknown(ctx, r.tenant, slices.Collect(maps.Keys(names)))
	if err != nil {
		return err
	}
	if len(unknown) == 0 {
		return nil
	}
	for _, l := range r.lines {
		if unknown[l.Request.Account] {
			r.bad = append(r.bad, badLine(l.Number, intake.UnknownAccount(l.Request.Account)))
		}
	}
	slices.SortStableFunc(r.bad, func(a, b BadLine) int { return cmp.Compare(a.Line, b.Line) })
	return nil
}

// once keeps one copy of a text that many lines share.
func (r *reader) once(text string) string {
	kept, found := r.shared[text]
	if !found {
		kept = strings.Clone(text)
		r.shared[kept] = kept
	}
	return kept
}
