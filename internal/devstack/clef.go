package devstack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/rpc"
)

// clefSecret opens the master seed of every dev clef: it protects nothing but
// the passwords of dev keys.
const clefSecret = "a-dev-master-seed"

// ClefApproveAll is a rule set that signs every transaction of the configured
// chain; clef itself refuses other chains.
const ClefApproveAll = `function ApproveTx(r) { return "Approve" }
`

// clefRulesTail are the other questions that clef asks of its rules. Without
// an answer it would ask a person, and there is none.
const clefRulesTail = `
function ApproveListing() { return "Approve" }
function ApproveSignData() { return "Reject" }
function OnSignerStartup(info) {}
function OnApprovedTx(tx) {}
`

// ClefOptions are fixed when the signer is made, but for the rules: SetRules
// changes them.
type ClefOptions struct {
	ChainID  uint64    // default 1337
	Keystore string    // folder of encrypted key files
	Password string    // of all of them
	Rules    string    // JavaScript with ApproveTx(r); default ClefApproveAll
	Log      io.Writer // progress lines; default none
}

// Clef is a real clef that decides by an attested rule file, without anybody
// at its console.
type Clef struct {
	*Part
	URL     string // its external API over HTTP
	IPCPath string // the same over a socket

	settings clefSettings
	binary   string
}

type clefSettings struct {
	ChainID  uint64 `json:"chain_id"`
	Keystore string `json:"keystore"`
	Password string `json:"password"`
	Rules    string `json:"rules"`
}

// StartClef starts the signer that lives in dir, or finds it running.
func StartClef(ctx context.Context, dir string, opts ClefOptions) (*Clef, error) {
	c := &Clef{}
	part, err := openPart("clef", dir, opts.Log, syscall.SIGINT, &c.settings, "http")
	if err != nil {
		return nil, err
	}
	c.Part = part
	if c.settings.Keystore == "" {
		keys, err := filepath.Abs(opts.Keystore)
		if err != nil {
			return nil, fmt.Errorf("clef in %s: %w", dir, err)
		}
		c.settings = clefSettings{ChainID: orDefault(opts.ChainID, defaultChainID), Keystore: keys, Password: opts.Password, Rules: orDefault(opts.Rules, ClefApproveAll)}
	}
	part.data = filepath.Join(part.dir, "config")
	part.setup, part.command, part.probe = c.setup, c.command, c.ready
	c.describe()
	if err := c.start(ctx, true); err != nil {
		return nil, err
	}
	c.describe()
	return c, nil
}

// SetRules takes effect at the next Start.
func (c *Clef) SetRules(js string) error {
	c.settings.Rules = js
	return writeJSON(c.settingsPath(), c.settings)
}

func (c *Clef) describe() {
	c.URL = "http://" + c.addr("http")
	sockets := c.dir
	if len(filepath.Join(sockets, "clef.ipc")) > socketPathMax {
		sum := sha256.Sum256([]byte(c.dir))
		sockets = filepath.Join(os.TempDir(), "quittance-clef-"+hex.EncodeToString(sum[:6]))
		c.outside = sockets
	}
	c.IPCPath = filepath.Join(sockets, "clef.ipc")
}

func (c *Clef) rulesPath() string { return filepath.Join(c.dir, "rules.js") }

// setup makes the master seed once, and at every start gives clef the
// passwords of the keys that are there and attests the rules.
func (c *Clef) setup(ctx context.Context) (err error) {
	if c.binary, err = serverBinary(ctx, "clef", c.log); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(c.data, "masterseed.json")); errors.Is(err, os.ErrNotExist) {
		if err := c.run(ctx, []string{clefSecret, clefSecret}, "--lightkdf", "init"); err != nil {
			return err
		}
	}
	for _, account := range keystore.NewKeyStore(c.settings.Keystore, keystore.LightScryptN, keystore.LightScryptP).Accounts() {
		if err := c.run(ctx, []string{c.settings.Password, c.settings.Password, clefSecret}, "setpw", account.Address.Hex()); err != nil {
			return err
		}
	}
	rules := []byte(c.settings.Rules + clefRulesTail)
	if err := writeFile(c.rulesPath(), rules); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.IPCPath), 0o700); err != nil {
		return fmt.Errorf("make a folder for clef's socket: %w", err)
	}
	sum := sha256.Sum256(rules)
	return c.run(ctx, []string{clefSecret}, "attest", hex.EncodeToString(sum[:]))
}

// run is one of clef's own commands; it reads passwords from its input.
func (c *Clef) run(ctx context.Context, input []string, args ...string) error {
	cmd := exec.CommandContext(ctx, c.binary, append([]string{"--suppress-bootwarn", "--configdir", c.data}, args...)...)
	cmd.Stdin = strings.NewReader(strings.Join(input, "\n") + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("clef %s: %w\n%s", args[len(args)-1], err, out)
	}
	return nil
}

func (c *Clef) command() *exec.Cmd {
	cmd := exec.Command(c.binary, "--suppress-bootwarn", "--configdir", c.data, "--keystore", c.settings.Keystore, "--nousb",
		"--chainid", fmt.Sprint(c.settings.ChainID), "--rules", c.rulesPath(), "--auditlog", filepath.Join(c.dir, "audit.log"),
		"--4bytedb-custom", filepath.Join(c.dir, "methods.json"),
		"--http", "--http.addr", loopback, "--http.port", fmt.Sprint(c.ports["http"]), "--ipcpath", filepath.Dir(c.IPCPath))
	cmd.Stdin = strings.NewReader(clefSecret + "\n")
	return cmd
}

func (c *Clef) ready(ctx context.Context) error {
	client, err := rpc.DialContext(ctx, "http://"+c.addr("http"))
	if err != nil {
		return fmt.Errorf("connect to clef: %w", err)
	}
	defer client.Close()
	var version string
	if err := client.CallContext(ctx, &version, "account_version"); err != nil {
		return fmt.Errorf("ask clef for its version: %w", err)
	}
	return nil
}
