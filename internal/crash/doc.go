// Package crash lets tests kill a process between two lines. It owns the named points and imports nothing of this
// project. It must never be able to kill a production process: without the build tag crashpoints, Point is an empty
// function that the compiler removes, and no environment variable is read.
//
// With the tag, QUITTANCE_CRASH_AT=name kills the process by SIGKILL when it passes the point of that name: no deferred
// call runs, nothing is flushed, no connection is closed. name:3 waits for the third pass.
package crash

// Variable is the environment variable that names the point.
const Variable = "QUITTANCE_CRASH_AT"
