package settlement

// Lease is the right to act as the one listener of a chain. Every write that a listener makes names it, and the ledger
// compares the token strictly in the write's own transaction: who lost the lease without noticing writes nothing.
type Lease struct {
	Name  string
	Token int64 // rises with every new holder
}
