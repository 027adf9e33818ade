package payouts_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/quittance/quittance/internal/intake"
	"github.com/quittance/quittance/internal/payouts"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

const (
	header = "key,account,to,asset,amount\n"
	payee  = "0x8E817fa590614629819aD71754A7d05138F0E226"
	good   = "k1,alice," + payee + ",USDC,12.5\n"
)

func openDesk(t testing.TB) *intake.Desk {
	t.Helper()
	w := ledgertest.New(t)
	desk, err := intake.OpenDesk(t.Context(), w.Ledger, 0)
	if err != nil {
		t.Fatal(err)
	}
	return desk
}

func TestAFileIsReadInItsOrder(t *testing.T) {
	t.Parallel()
	desk := openDesk(t)
	for _, test := range []struct {
		name, file string
		want       []string // number, key, account, amount in base units
		why        string
	}{
		{"plain", header + good + "k2,bob," + payee + ",ETH,0.000000000000000001\n", []string{"2 k1 alice 12500000", "3 k2 bob 1"}, "the plain form"},
		{"byte order mark", "\xef\xbb\xbf" + header + good, []string{"2 k1 alice 12500000"}, "Excel writes one"},
		{"CRLF", strings.ReplaceAll(header+good, "\n", "\r\n"), []string{"2 k1 alice 12500000"}, "Windows writes them"},
		{"no newline at the end", header + strings.TrimSuffix(good, "\n"), []string{"2 k1 alice 12500000"}, "many editors leave it out"},
		{"blank last lines", header + good + "\n\r\n", []string{"2 k1 alice 12500000"}, "people leave them in"},
		{"quoted", `"key","account","to","asset","amount"` + "\n" + `"a, ""b""",alice,` + payee + `,"USDC","1"` + "\n", []string{`2 a, "b" alice 1000000`}, "a key may hold commas and quotes"},
		{"columns in another order", "amount,to,key,asset,account\n3," + payee + ",k1,USDC,bob\n", []string{"2 k1 bob 3000000"}, "the names say which is which"},
		{"one key on many lines", header + good + good + strings.Replace(good, "12.5", "12.50", 1), []string{"2 k1 alice 12500000", "3 k1 alice 12500000", "4 k1 alice 12500000"}, "what that means is decided later"},
		{"blank lines between", header + "\n" + good + "\n\nk2,alice," + payee + ",USDC,1\n", []string{"3 k1 alice 12500000", "6 k2 alice 1000000"}, "numbers are those of an editor"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines, err := payouts.Read(t.Context(), strings.NewReader(test.file), desk, "")
			if err != nil {
				t.Fatalf("%s: %v", test.why, err)
			}
			var got []string
			for _, l := range lines {
				got = append(got, fmt.Sprint(l.Number, " ", l.Request.Key, " ", l.Request.Account, " ", l.Request.Amount))
				if l.Request.To.Hex() != payee || l.Request.Asset.ChainID != desk.ChainID {
					t.Errorf("line %d pays %s on chain %d", l.Number, l.Request.To, l.Request.Asset.ChainID)
				}
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("%s: got %q, want %q", test.why, got, test.want)
			}
		})
	}
}

func TestAFileWithAnyBadLineIsRefusedWholeAndEveryBadLineIsNamed(t *testing.T) {
	t.Parallel()
	desk := openDesk(t)
	line := func(key, account, to, asset, amount string) string {
		return key + "," + account + "," + to + "," + asset + "," + amount + "\n"
	}
	for _, test := range []struct {
		name, file string
		want       []string // prefixes of the bad lines
	}{
		{"empty file", "", []string{"line 1: must be the header"}},
		{"byte order mark alone", "\xef\xbb\xbf", []string{"line 1: must be the header"}},
		{"no payments", header, []string{"line 2: the file has no payments"}},
		{"no payments but blank lines", header + "\n\n", []string{"line 2: the file has no payments"}},
		{"missing column", "key,account,to,asset\nk,alice," + payee + ",USDC\n", []string{`line 1: header: lacks the column "amount"`}},
		{"unknown column", "key,account,to,asset,amount,memo\n", []string{`line 1: header: has the unknown column "memo"`}},
		{"misspelt column", "key,acount,to,asset,amount\n", []string{`line 1: header: has the unknown column "acount"`, `line 1: header: lacks the column "account"`}},
		{"column twice", "key,account,to,asset,amount,amount\n", []string{`line 1: header: has the column "amount" twice`}},
		{"header in capitals", strings.ToUpper(header), headerSays("unknown KEY ACCOUNT TO ASSET AMOUNT", "lacks key account to asset amount")},
		{"header that is no UTF-8", "k\xffy,account,to,asset,amount\n", []string{"line 1: header: must be valid UTF-8", `line 1: header: lacks the column "key"`}},
		{"no header", good, headerSays("unknown k1 alice "+payee+" USDC 12.5", "lacks key account to asset amount")},
		{"too few and too many fields", header + "k1,alice\n" + good + strings.TrimSuffix(good, "\n") + ",more\n", []string{"line 2: has 2 fields, the header has 5", "line 4: has 6 fields, the header has 5"}},
		{"not UTF-8", header + line("k\xff", "alice", payee, "USDC", "1") + line("k2", "al\xc3", payee, "USDC", "1"), []string{"line 2: key: must be valid UTF-8", "line 3: account: must be valid UTF-8"}},
		{"spaces around fields", header + line("k1", " alice", payee, "USDC", "1") + line("k2", "alice", payee+" ", "USDC", "1") + line("k3", "alice", payee, "\tUSDC", "1") + line("k4", "alice", payee, "USDC", "1 "),
			[]string{"line 2: account: must hold visible ASCII characters only: it begins or ends with a space", "line 3: to: must be hexadecimal: it begins or ends with a space",
				`line 4: asset: is not registered on chain 1337: "\tUSDC": it begins or ends with a space`, "line 5: amount: must be a plain decimal number such as 12.5: it begins or ends with a space"}},
		{"a quote within a field", header + "k\"1,alice," + payee + ",USDC,1\n" + good + "k2,alice," + payee + ",USDC,x\n", []string{"line 2: bare \"", "line 4: amount: must be a plain decimal number"}},
		{"a quote that never ends", header + good + "\"k2,alice\nk3\n", []string{"line 3: extraneous or missing \""}},
		{"a key over two lines", header + "\"k\n1\",alice," + payee + ",USDC,1\n", []string{"line 2: key: must hold printable characters only"}},
		{"every rule of a request", header +
			line("", "alice", payee, "USDC", "1") + line("@k", "alice", payee, "USDC", "1") + line(strings.Repeat("k", 201), "alice", payee, "USDC", "1") +
			line("k", "", payee, "USDC", "1") + line("k", "nobody", payee, "USDC", "1") +
			line("k", "alice", payee[:40], "USDC", "1") + line("k", "alice", payee+"00", "USDC", "1") + line("k", "alice", strings.Replace(payee, "E8", "e8", 1), "USDC", "1") +
			line("k", "alice", "0x0000000000000000000000000000000000000000", "USDC", "1") + line("k", "alice", ledgertest.Address("vault").Hex(), "USDC", "1") +
			line("k", "alice", ledgertest.Address("usdc").Hex(), "USDC", "1") + line("k", "alice", ledgertest.Signer(0).Hex(), "USDC", "1") +
			line("k", "alice", payee, "DOGE", "1") + line("k", "alice", payee, "", "1") +
			line("k", "alice", payee, "USDC", "0") + line("k", "alice", payee, "USDC", "-1") + line("k", "alice", payee, "USDC", "1e3") + line("k", "alice", payee, "USDC", " 5") +
			line("k", "alice", payee, "USDC", "1.0000001") + line("k", "alice", payee, "USDC", "NaN") +
			line("k", "alice", payee, "USDC", "115792089237316195423570985008687907853269984665640564039457584007913129639936"),
			[]string{"line 2: key: ", "line 3: key: ", "line 4: key: ", "line 5: account: must not be empty", "line 6: account: is unknown", "line 7: to: ", "line 8: to: must have 20 bytes, has 21",
				"line 9: to: has a wrong EIP-55 checksum", "line 10: to: must not be the zero", "line 11: to: must not be the vault", "line 12: to: must not be a registered token",
				"line 13: to: must not be one of our signers", "line 14: asset: is not registered", "line 15: asset: must not be empty", "line 16: amount: must be above zero", "line 17: amount: ",
				"line 18: amount: ", "line 19: amount: ", "line 20: amount: must have at most 6 decimals", "line 21: amount: ", "line 22: amount: must be at most 2^256-1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines, err := payouts.Read(t.Context(), strings.NewReader(test.file), desk, "")
			var refused *payouts.Refused
			if !errors.As(err, &refused) || lines != nil {
				t.Fatalf("got %d lines and %v, want the file refused", len(lines), err)
			}
			if len(refused.Lines) != len(test.want) {
				t.Fatalf("%d bad lines, want %d:\n%v", len(refused.Lines), len(test.want), refused)
			}
			for i, bad := range refused.Lines {
				if !strings.HasPrefix(bad.String(), test.want[i]) {
					t.Errorf("got %q, want %q", bad, test.want[i])
				}
			}
		})
	}
}

// headerSays spells out "unknown a b" and "lacks c d".
func headerSays(problems ...string) (want []string) {
	for _, problem := range problems {
		words := strings.Fields(problem)
		verb := map[string]string{"unknown": "has the unknown column", "lacks": "lacks the column"}[words[0]]
		for _, column := range words[1:] {
			want = append(want, fmt.Sprintf("line 1: header: %s %q", verb, column))
		}
	}
	return want
}

func TestAnErrorOfTheReaderIsNoBadLine(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	file := &failing{text: strings.NewReader(header + good), err: broken}
	_, err := payouts.Read(t.Context(), file, openDesk(t), "")
	var refused *payouts.Refused
	if !errors.Is(err, broken) || errors.As(err, &refused) {
		t.Errorf("got %v, want the reader's own error", err)
	}
}

// failing reads its text and then fails.
type failing struct {
	text *strings.Reader
	err  error
}

func (f *failing) Read(p []byte) (int, error) {
	if n, _ := f.text.Read(p); n > 0 {
		return n, nil
	}
	return 0, f.err
}

func FuzzAFileIsRefusedWithReasonsOrReadTheSameAgain(f *testing.F) {
	desk := openDesk(f)
	f.Add([]byte(header + good))
	f.Add([]byte("\xef\xbb\xbf" + strings.ReplaceAll(header+good, "\n", "\r\n")))
	f.Add([]byte(header + `"a ""b"", c",bob,` + payee + ",ETH,1.5\n\n"))
	f.Add([]byte(header + good + "k\"1,alice,x,USDC,1\n" + good))
	f.Add([]byte(header + "\"k\n"))
	f.Add([]byte("amount,to,key,asset,account\n3," + payee + ",k1,USDC,bob\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, err := payouts.Read(t.Context(), bytes.NewReader(data), desk, "")
		if err != nil {
			checkRefusal(t, err)
			return
		}
		if len(lines) == 0 {
			t.Fatal("no lines and no error")
		}
		var again bytes.Buffer
		w := csv.NewWriter(&again)
		_ = w.Write(payouts.Columns) // the last line's error tells
		last := 1
		for _, l := range lines {
			if l.Number <= last {
				t.Fatalf("line %d comes after line %d", l.Number, last)
			}
			last = l.Number
			if _, err := settlement.ParseKey(l.Request.Key.Tenant, l.Request.Key.Value); err != nil || l.Request.Amount.IsZero() {
				t.Fatalf("line %d was accepted: %+v", l.Number, l.Request)
			}
			r := l.Request
			if err := w.Write([]string{r.Key.Value, r.Account, r.To.Hex(), r.Asset.Symbol, r.Amount.Units(r.Asset.Decimals)}); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		second, err := payouts.Read(t.Context(), &again, desk, "")
		if err != nil || len(second) != len(lines) {
			t.Fatalf("what was read, written again, gives %d lines and %v", len(second), err)
		}
		for i := range lines {
			if lines[i].Request != second[i].Request {
				t.Fatalf("line %d became %+v, was %+v", lines[i].Number, second[i].Request, lines[i].Request)
			}
		}
	})
}

func checkRefusal(t *testing.T, err error) {
	t.Helper()
	var refused *payouts.Refused
	if !errors.As(err, &refused) || len(refused.Lines) == 0 {
		t.Fatalf("got %v, want bad lines", err)
	}
	for _, bad := range refused.Lines {
		if bad.Line < 1 || bad.Rule == "" {
			t.Fatalf("bad line without number or rule: %+v", bad)
		}
	}
}
