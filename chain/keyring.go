package chain

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// Keyring finds the signer of a lane, wherever its key is kept: in the keystore's files, or at the remote signer for the lanes
// that the ledger says are remote. Either may be absent. While the remote signer is away its lanes are not among Addresses, so
// that no new payment is given to them; Signer still finds them, for what is out already.
type Keyring struct {
	keys   *Keystore // nil: none
	remote *Remote   // nil: none

	mu    sync.RWMutex
	lanes map[common.Address]bool // whose key the remote signer has
}

var _ Signers = (*Keyring)(nil)

// NewKeyring takes a keystore, a remote signer, or both.
func NewKeyring(keys *Keystore, remote *Remote) *Keyring {
	return &Keyring{keys: keys, remote: remote, lanes: map[common.Address]bool{}}
}

// Look notes which lanes are kept by the remote signer, and whether it answers. Call it whenever the lanes are read: a lane that is
// added while the process runs is known from then on.
func (k *Keyring) Look(ctx context.Context, remote []common.Address) {
	lanes := make(map[common.Address]bool, len(remote))
	for _, address := range remote {
		lanes[address] = true
	}
	if k.remote != nil && len(lanes) > 0 {
		k.remote.Up(ctx)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lanes = lanes
}

// Addresses lists whom it can sign for now, sorted.
func (k *Keyring) Addresses() []common.Address {
	k.mu.RLock()
	defer k.mu.RUnlock()
	var addresses []common.Address
	if k.keys != nil {
		addresses = slices.DeleteFunc(k.keys.Addresses(), func(a common.Address) bool { return k.lanes[a] })
	}
	if k.remote != nil && k.remote.last() {
		for a := range k.lanes {
			addresses = append(addresses, a)
		}
	}
	slices.SortFunc(addresses, common.Address.Cmp)
	return addresses
}

// Holds reports whether a new payment may be given to the signer's lane.
func (k *Keyring) Holds(address common.Address) bool { return slices.Contains(k.Addresses(), address) }

// Signer finds a lane's signer. A remote one is found also while it is away.
func (k *Keyring) Signer(address common.Address) (Signer, error) {
	k.mu.RLock()
	remote := k.lanes[address]
	k.mu.RUnlock()
	switch {
	case remote && k.remote == nil:
		return nil, settlement.Errorf(settlement.Transient, "signer %s is at a remote signer, and this process is told of none", address)
	case remote:
		return &remoteKey{remote: k.remote, address: address}, nil
	case k.keys == nil:
		return nil, settlement.Errorf(settlement.Transient, "signer %s is in a keystore, and this process is told of none", address)
	}
	return k.keys.Signer(address)
}

// Watch looks for new key files until the context ends.
func (k *Keyring) Watch(ctx context.Context, every time.Duration, log *slog.Logger) error {
	if k.keys == nil {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return k.keys.Watch(ctx, every, log)
}

// Close overwrites the keys and drops the connection.
func (k *Keyring) Close() {
	if k.keys != nil {
		k.keys.Close()
	}
	if k.remote != nil {
		k.remote.Close()
	}
}
