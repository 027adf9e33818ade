// Command relay publishes the outbox to workflows and to the broker. It may run many times.
package main

import (
	"os"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
)

func main() {
	os.Exit(app.Service[config.Relay]{
		Name: "relay",
		Job:  "Publishes the outbox to workflows and to the broker. It may run many times.",
		Load: config.LoadRelay, Run: app.Relay,
	}.Main(os.Args[1:]))
}
