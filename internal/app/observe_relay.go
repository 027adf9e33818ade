package app

import "github.com/quittance/quittance/outbox"

// relayed reports what a round of a relay did. Published rows and retries are not counted here: Postgres has them.
func (p *page) relayed(round outbox.Round) {
	p.metrics.Destination(round.Destination, round.Down == nil)
	p.metrics.LeaseLost("outbox/"+round.Destination, round.Lost)
}
