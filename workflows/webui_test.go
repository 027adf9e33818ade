package workflows_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"github.com/quittance/quittance/activities/activitiestest"
	"github.com/quittance/quittance/internal/devstack/stacktest"
	"github.com/quittance/quittance/settlement"
)

// browser finds Chromium. A missing one fails the test: nobody would notice a skipped look at the page.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no browser to look at the Web UI with: install chromium (Debian: apt-get install -y chromium)")
	return ""
}

// A busy machine takes a quarter of a minute for a page.
const (
	visitMax        = 30 * time.Second
	pageDeadline    = 3 * time.Minute
	browserDeadline = 10 * time.Minute
)

// page is a tab of a headless browser with an empty profile.
func page(t *testing.T) context.Context {
	t.Helper()
	profile, err := os.MkdirTemp("", "quittance-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) }) // a browser that is slow to die still writes into it: not worth a failure
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(browser(t)), chromedp.UserDataDir(profile), chromedp.WindowSize(1400, 1600),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
	}
	for _, name := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage"} {
		flags = append(flags, chromedp.Flag(name, true))
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	limited, cancel := context.WithTimeout(tab, browserDeadline)
	t.Cleanup(cancel)
	return limited
}

// An operator opens a settlement's page and sees what it is, where it stands and what to search by, before and after its end.
func TestTheWebUIShowsASettlement(t *testing.T) {
	t.Parallel()
	s := newServer(t, "webui")
	run := s.start()
	s.asleep(run)
	hash := s.row().Live.Newest.Hash.Hex()
	tab := page(t)
	address := fmt.Sprintf("%s/namespaces/%s/workflows/%s/%s", stacktest.Temporal(t).UIURL, s.namespace, url.PathEscape(run.GetID()), run.GetRunID())

	s.sees(tab, "history", address+"/history", run.GetID(), "Settle 12.5 USDC", "Send 12.5 USDC", "Reserve 12.5 USDC")
	s.sees(tab, "details", address+"/user-metadata", "Settle 12.5 USDC", "starter explain "+run.GetID(), "submitted", s.input.To, hash)
	s.sees(tab, "attributes", address+"/metadata", "SettlementState", "requested", "Asset", "USDC", "ChainID", "1337")

	s.books.Change(s.key, activitiestest.Settled)
	s.wake()
	if out, failed := s.end(run); out.State != settlement.Settled {
		t.Fatalf("ended %s %s", out.State, failed)
	}
	s.sees(tab, "details-at-the-end", address+"/user-metadata", "settled", hash, "block: 100")
	s.sees(tab, "attributes-at-the-end", address+"/metadata", "settled", "TxHash", hash)
	list := fmt.Sprintf("%s/namespaces/%s/workflows?query=%s", stacktest.Temporal(t).UIURL, s.namespace, url.QueryEscape(`TxHash = "`+hash+`"`))
	s.sees(tab, "list", list, run.GetID())
}

// sees opens an address until the page shows every text: the UI asks the worker once per visit, and a busy one may answer too
// late. A failure leaves a picture.
func (s *server) sees(tab context.Context, name, address string, texts ...string) {
	s.Helper()
	var shown string
	missing := texts
	until := time.Now().Add(pageDeadline)
	for len(missing) > 0 && time.Now().Before(until) {
		if err := chromedp.Run(tab, chromedp.Navigate(address), chromedp.WaitVisible("main", chromedp.ByQuery)); err != nil {
			s.Fatalf("open %s: %v", address, err)
		}
		for visit := time.Now().Add(visitMax); len(missing) > 0 && time.Now().Before(visit); {
			var err error
			if shown, err = readable(tab); err != nil {
				s.Fatalf("read %s: %v", address, err)
			}
			missing = slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return strings.Contains(shown, text) })
		}
	}
	if dir := os.Getenv("QUITTANCE_SCREENSHOTS"); dir != "" || len(missing) > 0 {
		if dir == "" {
			dir = os.TempDir()
		}
		var picture []byte
		if err := chromedp.Run(tab, chromedp.FullScreenshot(&picture, 100)); err != nil {
			s.Logf("no picture: %v", err)
		} else if err := os.WriteFile(filepath.Join(dir, "webui-"+name+".png"), picture, 0o600); err != nil {
			s.Logf("no picture: %v", err)
		}
	}
	if len(missing) > 0 {
		s.Errorf("the page %s does not show %q; it shows:\n%s", name, missing, shown)
	}
}

// readable is the text of the page and of the frames in which the UI renders Markdown.
func readable(tab context.Context) (string, error) {
	var text string
	var frames []*cdp.Node
	err := chromedp.Run(tab,
		chromedp.Poll("document.body.innerText.length > 0", nil),
		chromedp.Evaluate("document.body.innerText", &text),
		chromedp.Nodes("iframe", &frames, chromedp.ByQueryAll, chromedp.AtLeast(0)))
	for _, frame := range frames {
		if err != nil {
			break
		}
		var inside string
		short, cancel := context.WithTimeout(tab, 2*time.Second)
		if chromedp.Run(short, chromedp.Text("body", &inside, chromedp.ByQuery, chromedp.FromNode(frame))) == nil { // else it is still loading
			text += "\n" + inside
		}
		cancel()
	}
	return text, err
}
