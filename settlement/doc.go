// Package settlement is the vocabulary of Quittance: what a request means, which states it may move through,
// and the facts of a chain that decide its end. It holds no connection and reads no clock.
//
// It imports none of this project's packages, so that the ledger (Postgres) and the chain (EVM) can speak the
// same words without knowing each other. It must never do IO.
package settlement
