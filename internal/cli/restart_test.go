package cli_test

import (
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
)

// Postgres restarts while a submission waits for its row: the request is on its way, so the command waits on, and says so
// when its time is over.
func TestASubmissionOutlivesARestartOfPostgres(t *testing.T) {
	t.Parallel()
	w := apptest.New(t, apptest.Options{Own: "postgres"})
	stopListener := w.Listener()
	w.Deposit(apptest.Alice, "10")
	stopListener()
	environ, postgres := w.Environ(), w.Part("postgres")
	running := func(name string, more ...string) (ended chan result) {
		ended = make(chan result, 1)
		go func() { ended <- run(t, environ, pay(w, name, "1", more...)...) }()
		w.Eventually("the run is started, and its row is waited for", func() bool {
			_, err := w.Runs().Find(t.Context(), w.Key(name))
			return err == nil
		})
		return ended
	}

	patient, hurried := running("patient", "--wait", "--timeout", "4m"), running("hurried", "--timeout", "5s")
	w.Must(postgres.Stop(t.Context()))
	(<-hurried).exits(5).says("same key")
	w.Must(postgres.Start(t.Context()))
	w.Services()
	(<-patient).exits(0).shows("settled")
	run(t, environ, pay(w, "hurried", "1", "--wait", "--timeout", "4m")...).exits(0)
	for _, name := range []string{"patient", "hurried"} {
		if got := w.Received(name); got.Int64() != 1_000_000 {
			t.Errorf("the recipient of %s holds %s base units, want 1000000", name, got)
		}
	}
}
