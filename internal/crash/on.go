//go:build crashpoints

package crash

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// Enabled says whether this build can crash on purpose.
const Enabled = true

var (
	target string
	pass   int64
	passed atomic.Int64
)

// A misspelt number must not make a crash test pass without a crash.
func init() {
	var err error
	if target, pass, err = parse(os.Getenv(Variable)); err != nil {
		panic(fmt.Sprintf("crash: %s: %v", Variable, err))
	}
}

func parse(value string) (name string, nth int64, err error) {
	name, number, found := strings.Cut(value, ":")
	if !found {
		return name, 1, nil
	}
	if nth, err = strconv.ParseInt(number, 10, 64); err != nil || nth < 1 || name == "" {
		return "", 0, fmt.Errorf("%q is not name:N with N above zero", value)
	}
	return name, nth, nil
}

// Point kills the process here if QUITTANCE_CRASH_AT names it. It never returns in that case.
func Point(name string) {
	if name != target || target == "" || passed.Add(1) != pass {
		return
	}
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
	select {} // the signal may be delivered to another thread first
}
