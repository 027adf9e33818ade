package activities

import (
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/quittance/quittance/settlement"
)

// Types of the errors that cross Temporal: errors.Is does not survive the way, a type string does.
const (
	TypeUnknown   = "Unknown"   // may have happened
	TypeTransient = "Transient" // did not happen
	TypeStale     = "Stale"     // somebody moved first; the next try reads the row again
	TypeInvalid   = "Invalid"
	TypeConflict  = "Conflict"
	TypeNotFound  = "NotFound"
	TypeRejected  = "Rejected"
)

// finalTypes end a step: trying again cannot help. NotFound is one, because a step's row can only be missing if the books
// were set back, and then a person must reconcile before anything moves.
var finalTypes = []string{TypeInvalid, TypeConflict, TypeNotFound, TypeRejected}

// RetryPolicy is explicit, because the default retries for ever without anyone having decided so. Here for ever is the
// decision: each step reads before it acts, and a settlement must not end because Postgres or the nodes were away.
func RetryPolicy() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:        time.Second,
		BackoffCoefficient:     2,
		MaximumInterval:        30 * time.Second,
		MaximumAttempts:        0,
		NonRetryableErrorTypes: finalTypes,
	}
}

// Fault turns an error's kind into the Temporal error that says what to do about it. It is the only place that builds one,
// and its result must not be wrapped: the SDK looks at the outermost error alone. What has no kind is Unknown, which is
// always tried again: it may have happened, and the next try reads whether it did. No kind asks for a delay of its own: a
// refusal that turns out to be permanent then backs off like an outage, instead of spinning.
func Fault(err error) error {
	if err == nil {
		return nil
	}
	var options temporal.ApplicationErrorOptions // no Cause: the message holds its words, and a history needs them once
	kind := ""
	switch settlement.KindOf(err) {
	case settlement.Invalid:
		kind, options.NonRetryable, options.Category = TypeInvalid, true, temporal.ApplicationErrorCategoryBenign
		options.Details = invalidDetails(err)
	case settlement.Conflict:
		kind, options.NonRetryable, options.Category = TypeConflict, true, temporal.ApplicationErrorCategoryBenign
		options.Details = []any{conflictFields(err)}
	case settlement.Rejected:
		kind, options.NonRetryable, options.Category = TypeRejected, true, temporal.ApplicationErrorCategoryBenign
	case settlement.NotFound:
		kind, options.NonRetryable = TypeNotFound, true
	case settlement.Stale:
		kind, options.Category = TypeStale, temporal.ApplicationErrorCategoryBenign
	case settlement.Transient:
		kind = TypeTransient
	case settlement.Unknown:
		kind = TypeUnknown
	default:
		kind = TypeUnknown
	}
	return temporal.NewApplicationErrorWithOptions(err.Error(), kind, options)
}

// Final reports whether an error of a step ends the run: one of the final types, wherever it sits in the chain.
func Final(err error) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.NonRetryable()
}

// invalidDetails are what InvalidOf reads at the other end.
func invalidDetails(err error) []any {
	var invalid *settlement.Error
	errors.As(err, &invalid)
	return []any{invalid.Field, invalid.Rule}
}

// InvalidOf is the refusal that a Temporal error of TypeInvalid carries, with its field and rule.
func InvalidOf(refused *temporal.ApplicationError) error {
	var field, rule string
	if err := refused.Details(&field, &rule); err != nil || field == "" {
		return settlement.Errorf(settlement.Invalid, "%s", refused.Message())
	}
	return settlement.Invalidf(field, "%s", rule)
}

func conflictFields(err error) []string {
	var conflict *settlement.Error
	errors.As(err, &conflict)
	return conflict.Fields
}
