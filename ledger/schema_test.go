package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/quittance/quittance/ledger/ledgertest"
	"github.com/quittance/quittance/settlement"
)

// attack is raw SQL that breaks a rule, in a database where all that it needs is there. by is what must refuse it: a
// constraint, a unique index, or "trigger".
type attack struct{ why, sql, by string }

// attacked is the state that the attacks find: settlement 1 of Alice is submitted, 2 is reserved, 3 is paid, 4 was revoked.
// Words in braces stand for ids, so that an attack reads like a sentence.
func attacked(t *testing.T) (*ledgertest.World, *strings.Replacer) {
	t.Helper()
	w := ledgertest.New(t)
	w.SetHead(50, 40)
	one, two, three := w.Submitted("one", "1"), w.Reserved("two", "2"), w.Submitted("three", "3")
	four := w.Reserved("four", "4")
	w.FinalBlock()
	addBlock(w, "block 41", 41, false)
	w.PayFinally(three)
	w.RevokeFinally(four)
	quote := func(h interface{ Bytes() []byte }) string { return fmt.Sprintf(`'\x%x'`, h.Bytes()) }
	id := func(sql string, args ...any) string { return fmt.Sprint(ledgertest.Value[int64](w, sql, args...)) }
	pairs := []string{
		"{one}", fmt.Sprint(one.ID), "{two}", fmt.Sprint(two.ID), "{three}", fmt.Sprint(three.ID), "{four}", fmt.Sprint(four.ID),
		"{alice}", id(`SELECT id FROM accounts WHERE name = 'alice'`), "{bob}", id(`SELECT id FROM accounts WHERE name = 'bob'`),
		"{vault}", id(`SELECT id FROM accounts WHERE kind = 'vault'`), "{gas}", id(`SELECT id FROM accounts WHERE kind = 'gas_expense'`),
		"{usdc}", fmt.Sprint(w.USDC.ID), "{eth}", fmt.Sprint(w.ETH.ID), "{lane}", fmt.Sprint(one.Live.LaneID),
		"{hold}", id(`SELECT hold_id FROM settlements WHERE id = $1`, two.ID), "{paidhold}", id(`SELECT hold_id FROM settlements WHERE id = $1`, three.ID),
		"{tx}", fmt.Sprint(one.Live.ID), "{paidtx}", fmt.Sprint(three.Live.ID), "{attempt}", id(`SELECT id FROM attempts WHERE transaction_id = $1`, one.Live.ID),
		"{effect}", id(`SELECT id FROM effects WHERE kind = 'settled'`), "{revoke}", id(`SELECT id FROM effects WHERE kind = 'revoked'`),
		"{deposit}", id(`SELECT min(id) FROM effects WHERE kind = 'deposited'`), "{event}", id(`SELECT event_id FROM effects WHERE kind = 'settled'`),
		"{signer}", quote(one.Live.Signer), "{final}", quote(ledgertest.Hash("block 0")), "{young}", quote(ledgertest.Hash("block 41")),
		"{h}", quote(ledgertest.Hash("some hash")), "{h2}", quote(ledgertest.Hash("other hash")), "{a}", quote(ledgertest.Address("somebody")),
		"{usdctoken}", quote(w.USDC.Token), "{vaultaddress}", quote(w.Chain.Vault), "{twoid}", quote(two.OnchainID), "{payee}", quote(two.To),
	}
	return w, strings.NewReplacer(pairs...)
}

// refusalOf runs an attack with its deferred checks, rolls it back, and says what refused it.
func refusalOf(w *ledgertest.World, sql string) (by string, err error) {
	ctx := context.Background()
	err = pgx.BeginFunc(ctx, w.SQL, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "SET CONSTRAINTS ALL IMMEDIATE"); err != nil {
			return err
		}
		return errors.New("nothing refused it")
	})
	var pg *pgconn.PgError
	switch {
	case !errors.As(err, &pg):
		return "", err
	case pg.ConstraintName != "":
		return pg.ConstraintName, err
	case pg.Code == "23000":
		return "trigger", err
	}
	return "", err
}

func TestTheSchemaRefusesEveryAttack(t *testing.T) {
	t.Parallel()
	w, words := attacked(t)
	attacks := slices.Concat(amountAttacks, transferAttacks, keyAttacks, settlementAttacks, sendingAttacks, chainAttacks, outboxAttacks, registryAttacks, topUpAttacks)
	refused := map[string]bool{}
	for _, a := range attacks {
		sql := words.Replace(a.sql)
		if left := regexp.MustCompile(`\{[a-z]+\}`).FindString(sql); left != "" && left != "{}" {
			t.Fatalf("%s: %s stands for nothing", a.why, left)
		}
		by, err := refusalOf(w, sql)
		if by != a.by {
			t.Errorf("%s: refused by %q (%v), want %q\n%s", a.why, by, err, a.by, sql)
		}
		refused[by] = true
	}
	for _, rule := range rules(w) {
		if !refused[rule] && !slices.Contains(unattacked, rule) {
			t.Errorf("no attack shows that %s refuses anything", rule)
		}
	}
}

// unattacked are rules that no row can break by itself.
var unattacked = []string{
	// targets of composite foreign keys: they begin with a primary key
	"accounts_id_guarded_key", "assets_id_chain_id_token_key", "attempts_id_transaction_id_key", "blocks_chain_id_hash_final_key",
	"effects_id_settlement_id_kind_key", "effects_id_kind_amount_key", "settlements_id_onchain_id_vault_token_destination_amount_key",
	"transactions_id_live_pays_key", "transfers_id_phase_debit_account_credit_account_asset_id_am_key",
}

// rules lists every CHECK, every UNIQUE and every foreign key of more than one column that the catalog knows. Plain
// references to one column are left out: they hold no rule of ours.
func rules(w *ledgertest.World) []string {
	return ledgertest.Value[[]string](w, `
		SELECT array_agg(name ORDER BY name) FROM (
			SELECT conname::text AS name FROM pg_constraint
			 WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE 'goose%'
			   AND (contype IN ('c', 'u') OR contype = 'f' AND cardinality(conkey) > 1)
			UNION
			SELECT indexname::text FROM pg_indexes WHERE schemaname = 'public' AND indexdef LIKE 'CREATE UNIQUE%WHERE%') rules`)
}

func TestTheCodeAndTheSchemaAgreeOnLegalMoves(t *testing.T) {
	t.Parallel()
	w := ledgertest.New(t, ledgertest.Empty())
	inSchema := ledgertest.Value[[]string](w, `SELECT array_agg(from_state || ' ' || to_state ORDER BY 1) FROM settlement_moves`)
	var inCode []string
	for _, m := range settlement.Moves() {
		inCode = append(inCode, string(m[0])+" "+string(m[1]))
	}
	slices.Sort(inCode)
	slices.Sort(inSchema)
	if !slices.Equal(inCode, inSchema) {
		t.Errorf("code   %v\nschema %v", inCode, inSchema)
	}
}
