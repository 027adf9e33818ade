// Package chain speaks to the EVM: it signs, prices and sends transactions, keeps the lanes of nonces moving, and reads blocks
// by hash. It owns the RPC endpoints and the signers' keys, and holds no state that a restart would miss: everything that
// matters is in the store that its callers hand in.
//
// It imports settlement (the vocabulary) and contracts (the bindings), never the ledger. It must never broadcast bytes that
// were not committed first, take a node's silence for evidence, or decide a payment's fate from anything but a final block.
package chain
