// Package hostile holds the bindings of tokens and recipients that misbehave: they return nothing or false, take a fee,
// refuse, lie about balances, burn gas, return bombs or call back into the vault. Tests deploy them to show that the
// vault and those who watch it survive. It imports nothing of ours, and nothing but tests may import it. Their sources
// are in contracts/src/hostile.
package hostile
