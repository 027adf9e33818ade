package ledger_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/quittance/quittance/ledger"
	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// checkBooks asserts I6: balances are the fold of transfers, debits equal credits, and no guarded account is below zero.
func checkBooks(w *ledgertest.World) error {
	wrong := ledgertest.Value[string](w, `
		WITH legs AS (
			SELECT debit_account AS account_id, asset_id, true AS debit, id, phase, amount::numeric AS amount FROM transfers
			UNION ALL SELECT credit_account, asset_id, false, id, phase, amount::numeric FROM transfers
		), fold AS (
			SELECT account_id, asset_id,
			       coalesce(sum(amount) FILTER (WHERE debit AND phase = 'posted'), 0) AS dp, coalesce(sum(amount) FILTER (WHERE NOT debit AND phase = 'posted'), 0) AS cp,
			       coalesce(sum(amount) FILTER (WHERE debit AND open), 0) AS dw, coalesce(sum(amount) FILTER (WHERE NOT debit AND open), 0) AS cw
			  FROM (SELECT l.*, l.phase = 'pending' AND NOT EXISTS (SELECT 1 FROM transfers r WHERE r.pending_id = l.id) AS open FROM legs l) x
			 GROUP BY account_id, asset_id
		)
		SELECT coalesce(string_agg(format('account %s asset %s: %s', coalesce(b.account_id, f.account_id), coalesce(b.asset_id, f.asset_id), to_jsonb(b)), '; '), '')
		  FROM balances b FULL JOIN fold f ON f.account_id = b.account_id AND f.asset_id = b.asset_id
		 WHERE (b.debits_posted, b.credits_posted, b.debits_pending, b.credits_pending)::text IS DISTINCT FROM (f.dp, f.cp, f.dw, f.cw)::text
		    OR b.guarded AND b.credits_posted < b.debits_posted + b.debits_pending`)
	if wrong != "" {
		return fmt.Errorf("balances are not the fold of transfers: %s", wrong)
	}
	uneven := ledgertest.Value[int](w, `SELECT count(*) FROM (SELECT asset_id FROM balances GROUP BY asset_id
		HAVING sum(debits_posted) <> sum(credits_posted) OR sum(debits_pending) <> sum(credits_pending)) x`)
	if uneven != 0 {
		return fmt.Errorf("%d assets whose debits are not their credits", uneven)
	}
	return nil
}

// model is what two customers should have, in base units.
type model struct {
	available, held map[string]int64
	open            []settlement.Settlement // with a hold and without a nonce
}

// https://github.com/blnkfinance/blnk/issues/181 and /203: holds that are not counted, balances that move without their transfer.
func TestBalancesFollowAModelUnderRandomTransfersHoldsAndResolutions(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	histories := 0
	rapid.Check(t, func(r *rapid.T) {
		histories++
		names := []string{fmt.Sprintf("a%d", histories), fmt.Sprintf("b%d", histories)}
		m := model{available: map[string]int64{}, held: map[string]int64{}}
		for _, name := range names {
			if _, _, err := w.CreateAccount(t.Context(), "", name); err != nil {
				r.Fatal(err)
			}
		}
		for i, act := range rapid.SliceOfN(rapid.SampledFrom([]string{"deposit", "reserve", "reserve", "void", "pay", "move", "again"}), 1, 12).Draw(r, "acts") {
			name := rapid.SampledFrom(names).Draw(r, "account")
			amount := rapid.Int64Range(1, 20).Draw(r, "amount")
			m.step(t, r, w, act, name, names, fmt.Sprintf("order-%d-%d", histories, i), amount)
		}
		for _, name := range names {
			b := usdcOf(t, w, name)
			if b.Available != settlement.NewAmount(uint64(m.available[name])) || b.Held != settlement.NewAmount(uint64(m.held[name])) {
				r.Fatalf("%s has %s and holds %s, the model says %d and %d", name, b.Available, b.Held, m.available[name], m.held[name])
			}
		}
	})
	if err := checkBooks(w); err != nil {
		t.Error(err)
	}
}

func (m *model) step(t *testing.T, r *rapid.T, w *ledgertest.World, act, name string, names []string, key string, amount int64) {
	units := settlement.NewAmount(uint64(amount))
	switch act {
	case "deposit":
		w.FundAmount(name, w.USDC, units)
		m.available[name] += amount
	case "reserve":
		res := w.Reservation(key, "1")
		res.Account, res.Amount = name, units
		s, err := w.Reserve(t.Context(), res)
		if covered := m.available[name] >= amount; err != nil || (s.State == settlement.Requested) != covered {
			r.Fatalf("reserve %d of %d: %s %v", amount, m.available[name], s.State, err)
		}
		if s.State == settlement.Requested {
			m.available[name], m.held[name], m.open = m.available[name]-amount, m.held[name]+amount, append(m.open, s)
		}
	case "again":
		if len(m.open) > 0 {
			s := m.open[0]
			if got, err := w.Reserve(t.Context(), settlement.Reservation{Request: s.Request, RequestID: s.RequestID, Vault: s.Vault}); err != nil || got.ID != s.ID {
				r.Fatalf("again: %+v %v", got, err)
			}
		}
	case "void", "pay":
		if len(m.open) == 0 {
			return
		}
		s := m.open[len(m.open)-1]
		m.open = m.open[:len(m.open)-1]
		held := int64(s.Amount.Uint256().Uint64())
		m.held[s.Account] -= held
		if act == "void" {
			m.available[s.Account] += held
			if err := w.FailUnpaid(t.Context(), s.ID, "refused", settlement.UnpaidProof{}); err != nil {
				r.Fatal(err)
			}
			return
		}
		a := w.Allocation(s)
		if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedNonce {
			r.Fatalf("%+v %v", got, err)
		}
		w.PayFinally(w.Read(s.Key.Value))
	case "move":
		other := names[0]
		if other == name {
			other = names[1]
		}
		_, err := w.SQL.Exec(context.Background(), `INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg)
			SELECT a.id, b.id, $3, $4, 'posted', 'correction' FROM accounts a, accounts b WHERE a.name = $1 AND b.name = $2`, name, other, w.USDC.ID, amount)
		if covered := m.available[name] >= amount; covered != (err == nil) || err != nil && !strings.Contains(err.Error(), "balances_no_overdraft") {
			r.Fatalf("move %d of %d: %v", amount, m.available[name], err)
		}
		if err == nil {
			m.available[name], m.available[other] = m.available[name]-amount, m.available[other]+amount
		}
	}
}

// https://github.com/erikdarlingdata/PerformanceMonitor/issues/1801: rows locked in the order in which they came.
func TestBooksStayEvenUnderManyWritersOfTheSameAccounts(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.WithConns(16), ledgertest.WithLanes(2, 100))
	w.Fund(ledgertest.Bob, w.USDC, "100")
	var wg sync.WaitGroup
	for g := range 8 {
		random := rand.New(rand.NewPCG(uint64(g), 7))
		wg.Go(func() {
			for i := range 12 {
				r := w.Reservation(fmt.Sprintf("order-%d-%d", g, i), fmt.Sprint(1+random.IntN(60)))
				r.Account = []string{ledgertest.Alice, ledgertest.Bob}[random.IntN(2)]
				s, err := w.Reserve(t.Context(), r)
				if err != nil {
					t.Errorf("%s: %v", r.Key, err)
					continue
				}
				if s.State == settlement.Failed {
					continue
				}
				switch random.IntN(3) {
				case 0:
					if err := w.FailUnpaid(t.Context(), s.ID, "refused", settlement.UnpaidProof{}); err != nil {
						t.Errorf("%s: %v", r.Key, err)
					}
				case 1:
					a := w.Allocation(s)
					if _, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil {
						t.Errorf("%s: %v", r.Key, err)
					}
				}
			}
		})
	}
	wg.Wait()
	if err := checkBooks(w); err != nil {
		t.Error(err)
	}
	if retries := w.Counts().Retries; retries > 0 {
		t.Errorf("%d retries: somebody locks out of order", retries)
	}
}

// https://github.com/tempoxyz/tidx/pull/267: amounts above 28 digits came back as null.
// https://github.com/migalabs/goteth/pull/236: above 18.44 ETH they wrapped.
func TestTheLargestAmountIsHeldPaidAndReadToTheLastDigit(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	const digits = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	most, err := settlement.AmountFromDecimal(digits)
	if err != nil {
		t.Fatal(err)
	}
	big, err := w.RegisterAsset(t.Context(), settlement.Asset{ChainID: 1337, Symbol: "BIG", Token: ledgertest.Address("big"), Decimals: 18}, settlement.NewAmount(1e18))
	if err != nil {
		t.Fatal(err)
	}
	w.FundAmount(ledgertest.Alice, big, most)
	w.Exec(`UPDATE asset_liquidity SET balance = $2::text::numeric WHERE asset_id = $1`, big.ID, digits)
	r := w.Reservation("order-1", "1")
	r.Asset, r.Amount = big, most
	s, err := w.Reserve(t.Context(), r)
	if err != nil || s.State != settlement.Requested {
		t.Fatalf("%+v %v", s, err)
	}
	a := w.Allocation(s)
	if got, err := w.Allocate(t.Context(), a, w.Signs(a)); err != nil || got.Outcome != settlement.AllocatedNonce {
		t.Fatalf("%+v %v", got, err)
	}
	read := w.Read("order-1")
	w.PayFinally(read)
	if read.Amount != most || read.Amount.String() != digits {
		t.Errorf("read %s", read.Amount)
	}
	told := ledgertest.Value[string](w, `SELECT payload ->> 'amount_base_units' FROM outbox WHERE stream = 'settlement/order-1' ORDER BY seq LIMIT 1`)
	if told != digits {
		t.Errorf("told the world %s", told)
	}
	if err := checkBooks(w); err != nil {
		t.Error(err)
	}
	assets, err := w.Assets(t.Context(), 1337)
	if err != nil || assets[2].Balance != most || !assets[2].InFlight.IsZero() {
		t.Errorf("%+v %v", assets[2], err)
	}
}

// https://github.com/cockroachdb/cockroach/issues/14670: one hot account. A group of holds on one account must not need one
// lock each: the balance moves once per statement.
func TestManyTransfersInOneStatementMoveABalanceOnce(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	err := w.Do(t.Context(), "group", func(tx *ledger.Tx) error {
		_, err := tx.Exec(`INSERT INTO transfers (debit_account, credit_account, asset_id, amount, phase, leg)
			SELECT d.id, c.id, $1, n, 'posted', 'gas' FROM generate_series(1, 100) n, accounts d, accounts c WHERE d.kind = 'gas_expense' AND c.kind = 'signer_float' AND c.id = $2`,
			w.ETH.ID, w.Lanes[0].FloatAccount)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	spent := ledgertest.Value[string](w, `SELECT b.debits_posted::text FROM balances b JOIN accounts a ON a.id = b.account_id WHERE a.kind = 'gas_expense'`)
	if spent != "5050" {
		t.Errorf("spent %s", spent)
	}
	if err := checkBooks(w); err != nil {
		t.Error(err)
	}
}

func TestTheCheckOfTheBooksSeesATamperedBalance(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t)
	if err := checkBooks(w); err != nil {
		t.Fatal(err)
	}
	w.Exec(`ALTER TABLE balances DISABLE TRIGGER by_transfers_only`)
	w.Exec(`UPDATE balances SET credits_posted = credits_posted + 1 WHERE account_id = (SELECT id FROM accounts WHERE name = 'alice') AND asset_id = $1`, w.USDC.ID)
	if err := checkBooks(w); err == nil {
		t.Error("one base unit out of nothing was not seen")
	}
}
