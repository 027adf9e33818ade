package settlement

import "strings"

// What a settlement waits for. A reason is one of these words, alone or followed by ": " and detail for people; the ledger
// wakes by the word. Waiting is never failure: each of these passes, or an operator ends it.
const (
	WaitLiquidity   = "vault liquidity"   // the vault holds too little of the asset; woken when it holds more
	WaitPaused      = "vault paused"      // woken when the vault is no longer paused
	WaitSignerFunds = "signer funds"      // no lane can pay the gas; woken when a lane's balance rises
	WaitOperator    = "operator missing"  // the vault lets none of our lanes settle; woken when it lets one
	WaitTokenPaused = "token paused"      // no reading tells when it passes: back-off alone
	WaitDoubtful    = "doubtful answer"   // nodes disagree, or one said what cannot be: back-off alone
	WaitStopped     = "payments stopped"  // an operator, or reverts in a row, stopped the asset or the chain; woken by the operator's go
	WaitBudget      = "hourly budget"     // the asset's budget for an hour is spent; woken when what was spent is an hour old, or the budget rises
	WaitFees        = "fee above ceiling" // the asset's ceiling is below the market: back-off alone
	WaitLane        = "no active lane"    // every lane is frozen, draining or removed; woken when one is active
)

// WaitWord is the part of a waiting reason that the ledger wakes by.
func WaitWord(reason string) string {
	word, _, _ := strings.Cut(reason, ": ")
	return word
}
