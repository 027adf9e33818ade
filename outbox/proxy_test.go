package outbox_test

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between a sink and its real server and can cut or freeze the line.
type proxy struct {
	target string
	listen net.Listener

	mu     sync.Mutex
	open   map[net.Conn]bool
	cut    bool
	frozen chan struct{} // closed when the line moves again; nil when it moves
}

// newProxy returns a proxy and the target's URL by way of it.
func newProxy(t *testing.T, target string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{target: u.Host, listen: listen, open: map[net.Conn]bool{}}
	t.Cleanup(func() { p.Thaw(); listen.Close(); p.Cut() })
	go p.accept()
	u.Host = listen.Addr().String()
	return p, u.String()
}

// Cut closes every connection and takes no new one.
func (p *proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for c := range p.open {
		c.Close()
	}
}

// Mend takes connections again.
func (p *proxy) Mend() { p.mu.Lock(); p.cut = false; p.mu.Unlock() }

// Freeze keeps connections open and moves nothing, like a server that hangs.
func (p *proxy) Freeze() { p.mu.Lock(); p.frozen = make(chan struct{}); p.mu.Unlock() }

// Thaw moves what was held back.
func (p *proxy) Thaw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen != nil {
		close(p.frozen)
		p.frozen = nil
	}
}

func (p *proxy) accept() {
	for {
		client, err := p.listen.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil || !p.keep(client, server) {
			client.Close()
			if server != nil {
				server.Close()
			}
			continue
		}
		go p.pump(client, server)
		go p.pump(server, client)
	}
}

func (p *proxy) keep(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.open[c] = !p.cut
	}
	return !p.cut
}

func (p *proxy) pump(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		frozen := p.frozen
		p.mu.Unlock()
		if frozen != nil {
			<-frozen
		}
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
