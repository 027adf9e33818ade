package workflows

import (
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/quittance/quittance/activities"
)

// WakeSignal tells a run that its row changed. It carries nothing.
const WakeSignal = "wake"

// WorkflowType is the registered name of Settle.
const WorkflowType = "Settle"

// Queues is the prefix of the task queues of one installation.
type Queues string

// DefaultQueues is the prefix unless configured otherwise.
const DefaultQueues Queues = "quittance"

const (
	settleSuffix  = "-settle"
	replaceSuffix = "-replace"
)

// Settle is the queue of the workflow tasks and of every step but Replace.
func (q Queues) Settle() string { return string(q) + settleSuffix }

// Replace is the queue of the fee bumps.
func (q Queues) Replace() string { return string(q) + replaceSuffix }

// queuesOf finds the installation from inside a run.
func queuesOf(settleQueue string) Queues {
	return Queues(strings.TrimSuffix(settleQueue, settleSuffix))
}

// Search attributes must be registered with the server before the first start. They are never encrypted: no names, no keys.
var (
	StateAttribute  = temporal.NewSearchAttributeKeyKeyword("SettlementState") // at start, and once more at the end
	AssetAttribute  = temporal.NewSearchAttributeKeyKeyword("Asset")
	ChainAttribute  = temporal.NewSearchAttributeKeyKeyword("ChainID")
	TxHashAttribute = temporal.NewSearchAttributeKeyKeyword("TxHash") // of the mined payment, at the end
)

const (
	// A commit takes milliseconds; 3 s covers a pool that is full. Twice that stays below the 8 s after which a local step
	// would hold up signals and grow the history.
	localStepMax  = 3 * time.Second
	localTriesMax = 6 * time.Second
	// StepMax covers a simulation on several nodes and a broadcast, each with its own timeout below it, three times over.
	// Workers must be given longer than this to stop.
	StepMax = 30 * time.Second
)

func localOptions(summary string) workflow.LocalActivityOptions {
	return workflow.LocalActivityOptions{
		StartToCloseTimeout: localStepMax, ScheduleToCloseTimeout: localTriesMax,
		RetryPolicy: localRetryPolicy(), Summary: summary,
	}
}

// localRetryPolicy tries again quickly, a few times: a longer outage is the server's business.
func localRetryPolicy() *temporal.RetryPolicy {
	policy := activities.RetryPolicy()
	policy.InitialInterval, policy.MaximumInterval = 100*time.Millisecond, time.Second
	return policy
}

// activityOptions sets no ScheduleToClose: a step is tried until it answers. There is no heartbeat, since no step waits for
// anything: waiting is the workflow's part.
func activityOptions(queue, summary string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		TaskQueue: queue, StartToCloseTimeout: StepMax, RetryPolicy: activities.RetryPolicy(), Summary: summary,
	}
}
