// Command starter submits and inspects settlements. Its exit codes are a contract: 0 done or accepted, 2 invalid input,
// 3 conflict, 4 not settled, 5 still unknown, 6 audit found a difference, 1 anything else.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/quittance/quittance/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := cli.Main(ctx)
	stop()
	os.Exit(code)
}
