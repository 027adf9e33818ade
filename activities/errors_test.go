package activities_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/quittance/quittance/activities"
	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/settlement"
)

func TestEachKindOfErrorHasOneTemporalMeaning(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		err    error
		typ    string
		final  bool
		benign bool
	}{
		{"no kind: may have happened, so never final", errors.New("EOF"), activities.TypeUnknown, false, false},
		{"the worker stops: the same", context.Canceled, activities.TypeUnknown, false, false},
		{"did not happen", settlement.Errorf(settlement.Transient, "pool"), activities.TypeTransient, false, false},
		{"somebody moved first", settlement.Errorf(settlement.Stale, "moved"), activities.TypeStale, false, true},
		{"bad input", settlement.Invalidf("to", "no"), activities.TypeInvalid, true, true},
		{"a key used before", &settlement.Error{Kind: settlement.Conflict, Fields: []string{"amount"}}, activities.TypeConflict, true, true},
		{"a business answer", settlement.Errorf(settlement.Rejected, "no"), activities.TypeRejected, true, true},
		{"the row is gone: pages a person", settlement.Errorf(settlement.NotFound, "gone"), activities.TypeNotFound, true, false},
		{"a wrapped kind stays that kind", fmt.Errorf("reserve k: %w", settlement.Invalidf("to", "no")), activities.TypeInvalid, true, true},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			var app *temporal.ApplicationError
			// The SDK type-switches on the outermost error, so errors.As would hide a wrap.
			app, ok := activities.Fault(row.err).(*temporal.ApplicationError) //nolint:errorlint // the outermost type is what is tested
			if !ok {
				t.Fatal("the outermost error is no application error")
			}
			benign := app.Category() == temporal.ApplicationErrorCategoryBenign
			if app.Type() != row.typ || app.NonRetryable() != row.final || activities.Final(app) != row.final || benign != row.benign {
				t.Errorf("%s, final %v, benign %v; want %s, %v, %v", app.Type(), app.NonRetryable(), benign, row.typ, row.final, row.benign)
			}
		})
	}
	if activities.Fault(nil) != nil {
		t.Error("no error became one")
	}
}

// https://github.com/airplanedev/js-sdk/pull/73 (W19): unlimited retries that nobody chose.
func TestTheRetryPolicyIsExplicitAndListsEveryFinalType(t *testing.T) {
	t.Parallel()
	policy := activities.RetryPolicy()
	if policy.InitialInterval == 0 || policy.MaximumInterval == 0 || policy.BackoffCoefficient == 0 {
		t.Errorf("a default is left: %+v", policy)
	}
	for kind := settlement.Unknown; kind <= settlement.Stale; kind++ {
		var app *temporal.ApplicationError
		if !errors.As(activities.Fault(&settlement.Error{Kind: kind}), &app) {
			t.Fatalf("kind %s makes no application error", kind)
		}
		if listed := slices.Contains(policy.NonRetryableErrorTypes, app.Type()); listed != app.NonRetryable() {
			t.Errorf("%s is final: %v, listed: %v", app.Type(), app.NonRetryable(), listed)
		}
	}
}

// https://github.com/temporalio/documentation/pull/4605 (W21): a non-retryable error inside a generic one is retried.
func TestAFinalErrorArrivesFinalOnTheOtherSideOfTheSDK(t *testing.T) {
	t.Parallel()
	const idOfTheTestEnvironment = "default-test-workflow-id"
	f := newFixture(t)
	if _, err := f.steps.Reserve(context.Background(), activitiestest.Request(idOfTheTestEnvironment)); err != nil {
		t.Fatal(err)
	}
	changed := activitiestest.Request(idOfTheTestEnvironment)
	changed.Amount, changed.Account = "1", "bob"
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(f.steps)
	_, err := env.ExecuteActivity(f.steps.Reserve, changed)
	var app *temporal.ApplicationError
	if !errors.As(err, &app) || app.Type() != activities.TypeConflict || !app.NonRetryable() {
		t.Fatalf("got %v, want a final conflict", err)
	}
	var fields []string
	if err := app.Details(&fields); err != nil || !slices.Equal(fields, []string{"account", "amount"}) {
		t.Errorf("fields %v (%v), want account and amount", fields, err)
	}
}

func TestARefusalKeepsFieldAndRuleOnTheOtherSideOfTheSDK(t *testing.T) {
	t.Parallel()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(newFixture(t).steps)
	again := activitiestest.Request("default-test-workflow-id")
	again.Amount = "x"
	_, err := env.ExecuteActivity("Reserve", again)
	var app *temporal.ApplicationError
	if !errors.As(err, &app) || app.Type() != activities.TypeInvalid {
		t.Fatalf("got %v, want a refusal", err)
	}
	var invalid *settlement.Error
	if !errors.As(activities.InvalidOf(app), &invalid) || invalid.Kind != settlement.Invalid || invalid.Field != "amount" || invalid.Rule == "" {
		t.Errorf("got %+v, want field amount and its rule", invalid)
	}
	var foreign *temporal.ApplicationError
	errors.As(temporal.NewNonRetryableApplicationError("no", activities.TypeInvalid, nil), &foreign)
	if err := activities.InvalidOf(foreign); settlement.KindOf(err) != settlement.Invalid || err.Error() != "no" {
		t.Errorf("without details it is %v, want its words", err)
	}
}
