// Command listener follows the chain, books what is final and keeps the lanes. It may run many times; one acts.
package main

import (
	"os"

	"github.com/quittance/quittance/internal/app"
	"github.com/quittance/quittance/internal/config"
)

func main() {
	os.Exit(app.Service[config.Listener]{
		Name: "listener",
		Job:  "Follows the chain, books what is final and keeps the lanes. It may run many times; one acts.",
		Load: config.LoadListener, Run: app.Listener,
	}.Main(os.Args[1:]))
}
