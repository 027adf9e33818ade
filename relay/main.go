// Command relay publishes the outbox to workflows and to the broker. It may run many times.
package main

import (
	"os"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
)

func main() { os.Exit(app.Main("relay", config.LoadRelay, app.Relay)) }
