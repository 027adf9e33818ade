// Command worker runs the settlement workflows, their steps and the sweeper. It may run many times.
package main

import (
	"os"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
)

func main() {
	os.Exit(app.Service[config.Worker]{
		Name: "worker",
		Job:  "Runs the settlement workflows, their steps and the sweeper. It may run many times.",
		Load: config.LoadWorker, Run: app.Worker,
	}.Main(os.Args[1:]))
}
