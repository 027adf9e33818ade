package cli

type (
	chainCmd  struct{}
	assetCmd  struct{}
	signerCmd struct{}
)
