package devstack

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

const loopback = "127.0.0.1"

// Ports come from below the range that kernels hand out to outgoing
// connections (32768 and up on Linux, 49152 and up on macOS): a client socket
// must not sit on a remembered port while its server is down.
const (
	portFirst = 20_000
	portLast  = 31_999
)

var (
	portsMu  sync.Mutex
	portsOut = map[int]bool{} // handed out by this process, bound or not
)

// freePort never returns the same port twice in one process. Another process
// can still take it before the server binds: a start retries with new ports.
func freePort() (int, error) {
	portsMu.Lock()
	defer portsMu.Unlock()
	for range 200 {
		port := portFirst + rand.IntN(portLast-portFirst+1)
		if !portsOut[port] && portFree(port) {
			portsOut[port] = true
			return port, nil
		}
	}
	return 0, fmt.Errorf("no free port between %d and %d", portFirst, portLast)
}

func portFree(port int) bool {
	l, err := net.Listen("tcp", hostPort(port))
	if err != nil {
		return false
	}
	l.Close()
	return true
}

func hostPort(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
