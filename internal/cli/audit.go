package cli

type auditCmd struct{}
