// Package app wires the processes: it opens what each needs, waits for what is not there yet, and runs its loops until a
// signal ends them. It is the only place (with audit and the dev tools) where ledger, chain, workflows and outbox meet. It
// holds no rule about money: a rule found here is in the wrong package.
package app
