package cli

type explainCmd struct{}
