package liar

import (
	"math/rand/v2"
	"time"
)

// mood lies by chance.
type mood struct {
	random *rand.Rand
	share  float64
	lies   []Lie
	told   map[string]int
}

// Moody makes the node lie to a share of all requests (0 to 1), choosing among the lies that fit. The same seed and the same
// requests in the same order give the same lies. Lies that are told by script come first.
func (n *Node) Moody(seed uint64, share float64, lies ...Lie) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.mood = &mood{random: rand.New(rand.NewPCG(seed, 0)), share: share, lies: lies, told: map[string]int{}}
}

// Told counts the lies of the mood by name.
func (n *Node) Told() map[string]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	counts := map[string]int{}
	if n.mood != nil {
		for name, times := range n.mood.told {
			counts[name] = times
		}
	}
	return counts
}

// choose draws whether the request is lied to, to which of its questions, and how.
func (m *mood) choose(batch []request) (position int, lie Lie, found bool) {
	if m.random.Float64() >= m.share {
		return 0, Lie{}, false
	}
	position = m.random.IntN(len(batch))
	r := batch[position]
	var fitting []Lie
	for _, l := range m.lies {
		if l.fits(r) {
			fitting = append(fitting, l)
		}
	}
	if len(fitting) == 0 {
		return 0, Lie{}, false
	}
	lie = fitting[m.random.IntN(len(fitting))]
	m.told[lie.Name]++
	return position, lie, true
}

// Everything is one lie of each kind: what a single bad node may do without any answer of its being believed.
func Everything() []Lie {
	return []Lie{
		LoseResponse(), DropRequest(), Late(300 * time.Millisecond), Status(429), Status(503), RateLimit(),
		Refuse(-32000, "nonce too low", false).Of(send), Refuse(-32603, "nonce too low: next nonce 99, tx nonce 7", true).Of(send),
		Refuse(-32000, "already known", false).Of(send), Refuse(-32000, "replacement transaction underpriced", false).Of(send),
		Refuse(-32000, "transaction underpriced", false).Of(send), Refuse(-32003, "insufficient funds for gas * price + value", false).Of(send),
		Refuse(-32000, "txpool is full", false).Of(send), Refuse(-32603, "something that nobody wrote down", true).Of(send), Accepted(),
		Null("eth_getTransactionByHash", "eth_getTransactionReceipt", "eth_getBlockReceipts", "eth_getBlockByHash"),
		StaleHead(3), StaleHead(20), StaleNonce(2), OlderTag("finalized", 8), NoTag("finalized"),
		EmptyReceipts(), TruncatedReceipts(), WithoutLogs(), OtherStatus(), EmptyLogs(), TruncatedLogs(), RemovedLogs(),
		LogRange(-32602, "query exceeds max results 20000, retry with the range 0x0-0xffffffff"), Syncing(),
	}
}
