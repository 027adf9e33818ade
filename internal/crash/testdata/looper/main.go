// Looper passes one crash point three times.
package main

import (
	"fmt"

	"github.com/quittance/quittance/internal/crash"
)

func main() {
	for i := range 3 {
		fmt.Println("pass", i+1)
		crash.Point("middle")
	}
}
