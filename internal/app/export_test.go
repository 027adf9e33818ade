package app

// NewChainSteps lets a test run the worker's steps on a ledger and a pool of its own.
var NewChainSteps = newChainSteps
