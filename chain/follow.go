package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/ethereum/go-ethereum/common"

	"github.com/quittance/quittance/settlement"
)

// FollowStore is the part of the ledger that a walk writes to. Every write names the lease and fails with
// settlement.ErrLeaseLost once it is lost, so that a walk which does not know it yet writes nothing.
type FollowStore interface {
	// Head is where the walk stands; its kind is NotFound before the first block.
	Head(ctx context.Context, chainID uint64) (settlement.Head, error)
	// Blocks are the canonical blocks recorded with numbers from..to, ascending.
	Blocks(ctx context.Context, chainID, from, to uint64) ([]settlement.BlockRef, error)
	// RecordBlock appends a child of the head, or the chain's start block. The same block again changes nothing; anything
	// else fails with settlement.ErrDiscontinuous.
	RecordBlock(ctx context.Context, lease settlement.Lease, chainID uint64, block settlement.Block) error
	// Rewind makes a recorded block the head again. Below the final block it fails with settlement.ErrBelowFinal, and
	// leaves the head stopped until an operator accepts the reorg.
	Rewind(ctx context.Context, lease settlement.Lease, chainID uint64, to settlement.BlockRef) error
	// Finalize books the effects of the next block above the final one. The same number again changes nothing.
	Finalize(ctx context.Context, lease settlement.Lease, chainID, number uint64) error
}

// ErrStopped: the walk waits for an operator, after a reorg that reached below a block whose effects are booked.
var ErrStopped = errors.New("the listener is stopped")

const (
	blocksPerRunDefault = 64  // blocks recorded by one RunOnce
	finalPerRunMax      = 256 // blocks made final by one RunOnce
	blocksPerRunMax     = 256 // headers asked for in one batch
	nearHead            = 3   // readings are taken at the last block of a run that is so near to the head: nodes keep its state
)

// FollowConfig says what to follow and when to believe it.
type FollowConfig struct {
	ChainID      uint64
	StartBlock   uint64 // the first block ever recorded: the vault's deployment or an earlier one
	Finality     Finality
	NodesMin     int // nodes that must hold a block before it is final, or deny a final one before the walk stops; 0: more than half
	BlocksPerRun int // 0: 64
}

// Check reports all problems at once.
func (c FollowConfig) Check() error {
	var problems []error
	if c.ChainID == 0 {
		problems = append(problems, errors.New("the chain id must not be 0"))
	}
	if !c.Finality.Tag && c.Finality.Depth == 0 {
		problems = append(problems, errors.New("a finality depth of 0 would book blocks that any reorg takes back"))
	}
	if c.NodesMin < 0 {
		problems = append(problems, errors.New("the number of nodes that must agree must not be negative"))
	}
	if c.BlocksPerRun < 0 || c.BlocksPerRun > blocksPerRunMax {
		problems = append(problems, fmt.Errorf("blocks per run must be at most %d", blocksPerRunMax))
	}
	return errors.Join(problems...)
}

// Follower walks one chain by parent hash, from the store's cursor to the head that most nodes agree on. It keeps nothing
// between two runs that the store does not hold, and one of its methods must not run twice at a time.
type Follower struct {
	cfg     FollowConfig
	pool    *Pool
	reader  *Reader
	store   FollowStore
	watched func(context.Context) (Watched, error)
	log     *slog.Logger

	down map[string]bool // nodes without a view at the last run
}

// NewFollower checks the configuration. watched is asked in each run that finds blocks, after the head was: a lane that is
// added later than that cannot have a transaction in those blocks.
func NewFollower(cfg FollowConfig, pool *Pool, store FollowStore, watched func(context.Context) (Watched, error), log *slog.Logger) (*Follower, error) {
	if err := cfg.Check(); err != nil {
		return nil, settlement.Errorf(settlement.Invalid, "follow chain %d: %w", cfg.ChainID, err)
	}
	if cfg.BlocksPerRun == 0 {
		cfg.BlocksPerRun = blocksPerRunDefault
	}
	if cfg.NodesMin == 0 {
		cfg.NodesMin = len(pool.Endpoints())/2 + 1
	}
	if nodes := len(pool.Endpoints()); cfg.NodesMin > nodes {
		return nil, settlement.Errorf(settlement.Invalid, "follow chain %d: %d nodes must agree, and there are %d", cfg.ChainID, cfg.NodesMin, nodes)
	}
	log = log.With("chain", cfg.ChainID)
	return &Follower{cfg: cfg, pool: pool, reader: NewReader(pool, log), store: store, watched: watched, log: log, down: map[string]bool{}}, nil
}

// Progress is what one run did.
type Progress struct {
	Cursor    settlement.BlockRef // the newest block recorded
	Final     uint64              // the newest final block's number
	NodeHead  uint64              // the highest head of a node that holds the cursor; 0 in a reorg
	Recorded  int
	Finalized int
	Rewound   uint64 // blocks given up in a reorg
	More      bool   // there was more than one run may do

	holders int // nodes that hold the cursor, if this run recorded it
}

// position is the cursor that a run starts from.
type position struct {
	settlement.Head
	begun bool
}

// height is the height that the nodes are asked about: the cursor's, or the first block's.
func (f *Follower) height(at position) uint64 {
	if !at.begun {
		return f.cfg.StartBlock
	}
	return at.Number
}

// RunOnce asks the nodes where the chain stands and follows it as far as one run may: it takes a reorg back, or records
// new blocks and then makes old ones final. It may be stopped and repeated anywhere. If only finality fails, the blocks
// recorded count as progress beside the error.
func (f *Follower) RunOnce(ctx context.Context, lease settlement.Lease) (Progress, error) {
	at, err := f.position(ctx)
	if err != nil {
		return Progress{}, err
	}
	progress := Progress{Cursor: at.BlockRef, Final: at.Final.Number}
	views, err := f.askViews(ctx, f.height(at))
	if err != nil {
		return progress, err
	}
	poll, err := f.count(ctx, at, views)
	if err != nil {
		return progress, err
	}
	switch {
	case poll.reorged():
		err := f.rewind(ctx, lease, at, poll, &progress)
		return progress, err
	case len(poll.against) > 0 && len(poll.against) >= len(poll.with):
		return progress, settlement.Errorf(settlement.Transient, "nodes disagree about block %d: %s", f.height(at), poll)
	case len(poll.with) == 0: // all nodes are behind the cursor, on the same chain
		return progress, nil
	}
	progress.NodeHead = highest(poll.with).head.Number
	if err := f.walk(ctx, lease, at, poll, &progress); err != nil {
		return progress, err
	}
	if !at.begun {
		progress.More = true // the first block's store knows by now what is final
		return progress, nil
	}
	return progress, f.finalize(ctx, lease, at, poll, &progress)
}

func (f *Follower) position(ctx context.Context) (position, error) {
	head, err := f.store.Head(ctx, f.cfg.ChainID)
	switch {
	case settlement.KindOf(err) == settlement.NotFound:
		return position{}, nil
	case err != nil:
		return position{}, fmt.Errorf("read the cursor of chain %d: %w", f.cfg.ChainID, err)
	case head.Stopped != "":
		return position{}, fmt.Errorf("%w: %s", ErrStopped, head.Stopped)
	}
	return position{Head: head, begun: true}, nil
}

// walk records the blocks after the cursor, one commit each.
func (f *Follower) walk(ctx context.Context, lease settlement.Lease, at position, poll poll, progress *Progress) error {
	target, err := f.target(ctx, at, poll.with)
	if err != nil || len(target.steps) == 0 {
		return err
	}
	progress.NodeHead = target.nodeHead
	watched, err := f.watched(ctx)
	if err != nil {
		return fmt.Errorf("what to watch on chain %d: %w", f.cfg.ChainID, err)
	}
	last := settlement.ChainReads{Tip: at.Tip, VaultPaused: at.Paused}
	if !at.begun {
		last.Tip = watched.TipFloor
	}
	for i, step := range target.steps {
		fresh := i == len(target.steps)-1 && step.Number+nearHead >= target.nodeHead
		block, err := f.reader.ReadBlock(ctx, watched, step.Hash, last, fresh)
		if err != nil {
			return err
		}
		if err := f.store.RecordBlock(ctx, lease, f.cfg.ChainID, block); err != nil {
			return fmt.Errorf("record block %d %s: %w", block.Number, block.Hash, err)
		}
		progress.Cursor = block.BlockRef
		progress.Recorded++
	}
	progress.More, progress.holders = progress.Cursor.Number < target.nodeHead, target.holders
	return nil
}

// finalize books the blocks up to the mark, one commit each. The mark is counted from the newest recorded block that enough
// nodes hold, and not from the cursor: a node that runs ahead on a branch of its own must not make our common past final.
func (f *Follower) finalize(ctx context.Context, lease settlement.Lease, at position, poll poll, progress *Progress) error {
	from, err := poll.heldBy(f.cfg.NodesMin, at.Number)
	if progress.holders >= f.cfg.NodesMin {
		from, err = progress.Cursor.Number, nil
	}
	if err != nil {
		return settlement.Errorf(settlement.Transient, "nothing is made final: %w", err)
	}
	mark, ok, err := f.cfg.Finality.mark(from, poll.tags())
	if err != nil {
		return settlement.Errorf(settlement.Transient, "finality of chain %d by the finalized tag: %w", f.cfg.ChainID, err)
	}
	if !ok || mark <= at.Final.Number { // a mark that goes back is ignored
		return nil
	}
	for number := at.Final.Number + 1; number <= mark; number++ {
		if progress.Finalized == finalPerRunMax {
			progress.More = true
			return nil
		}
		if err := f.store.Finalize(ctx, lease, f.cfg.ChainID, number); err != nil {
			return fmt.Errorf("make block %d final: %w", number, err)
		}
		progress.Final = number
		progress.Finalized++
	}
	return nil
}

// hashAt is the recorded canonical block at a height, or false.
func (f *Follower) hashAt(ctx context.Context, number uint64) (common.Hash, bool, error) {
	refs, err := f.store.Blocks(ctx, f.cfg.ChainID, number, number)
	if err != nil {
		return common.Hash{}, false, fmt.Errorf("recorded block %d: %w", number, err)
	}
	if len(refs) != 1 {
		return common.Hash{}, false, nil
	}
	return refs[0].Hash, true, nil
}
