// Package cli is the starter's command line: it submits and inspects settlements. Commands print results to stdout and
// nothing else there; logs and errors go to stderr; the exit code is a contract that scripts rely on. It wires intake,
// ledger and workflows, and must never write money.
package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/quittance/quittance/internal/config"
	"github.com/quittance/quittance/internal/telemetry"
	"github.com/quittance/quittance/settlement"
)

type commands struct {
	Output string `short:"o" enum:"text,json" default:"text" help:"text, or json: one object (one per line for lists) on stdout."`

	Submit  submitCmd  `cmd:"" help:"Ask to pay an amount from an account to an address, once per key."`
	Status  statusCmd  `cmd:"" help:"Show a settlement."`
	Wait    waitCmd    `cmd:"" help:"Wait until a settlement has ended."`
	List    listCmd    `cmd:"" help:"List settlements, newest first."`
	Import  importCmd  `cmd:"" help:"Submit every line of a CSV file and wait for their ends. Safe to repeat."`
	Explain explainCmd `cmd:"" help:"Tell one settlement's whole story."`
	Resume  resumeCmd  `cmd:"" help:"Start again what has no running workflow."`
	Cancel  cancelCmd  `cmd:"" help:"Ask that a settlement end unpaid: at once without a nonce, else what is mined decides."`
	Revoke  revokeCmd  `cmd:"" help:"Have the vault mark a settlement's id as used, so that nothing can ever pay it."`
	Stats   statsCmd   `cmd:"" help:"Show duplicate hit rate, outbox lag, retry rate, states and lanes."`
	Account accountCmd `cmd:"" help:"Customers of the ledger."`
	Audit   auditCmd   `cmd:"" help:"Prove the books against the chain at one final block."`
	Migrate migrateCmd `cmd:"" help:"Apply the schema to the database."`
	Chain   chainCmd   `cmd:"" help:"Chains that the ledger knows."`
	Asset   assetCmd   `cmd:"" help:"Tokens and coins that the ledger knows."`
	Signer  signerCmd  `cmd:"" help:"Add signers, and list how they were added. What they do and what to do about it: lanes."`
	Lanes   lanesCmd   `cmd:"" help:"The operator's view of the signers: what each does, who else used its key, freeze, thaw, drain, remove."`
	TopUp   topUpCmd   `cmd:"" name:"top-up" help:"Send coins to a signer and book them; list and adopt top-ups."`
	Stop    stopCmd    `cmd:"" help:"Give no payment a nonce any more, of one asset, by one signer, or at all. What is out stays supervised."`
	Go      goCmd      `cmd:"" help:"End a stop, and wake who waits."`
	Version versionCmd `cmd:"" help:"Show which build this is."`
	Outbox  outboxCmd  `cmd:"" help:"Events on their way, and what to do about those that are stuck."`

	Reorg reorgCmd `cmd:"" help:"A reorg deeper than finality: what it took, and the decision to go on."`

	Quarantine quarantineCmd `cmd:"" help:"Events of the vault that the books could not take."`
}

// Main executes this process's command line with its environment and returns the exit code.
func Main(ctx context.Context) int {
	environ, err := config.Process()
	if err != nil {
		return fail(os.Stderr, wantsJSON(os.Args[1:]), usage(err))
	}
	return Run(ctx, os.Args[1:], environ, os.Stdin, os.Stdout, os.Stderr)
}

// Run executes one command line and returns its exit code. All it learns of the environment is environ, with the env file
// that it names; Temporal's client alone also reads this process's TEMPORAL_* variables.
func Run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var c commands
	code := -1
	parser, err := kong.New(&c, kong.Name("starter"), kong.Writers(stdout, stderr), kong.Exit(func(status int) { code = status }),
		kong.Description("Settles obligations on an EVM chain exactly once."), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		return fail(stderr, false, err)
	}
	if err := printable(args); err != nil {
		return fail(stderr, wantsJSON(args), err)
	}
	parsed, err := parser.Parse(args)
	if code >= 0 { // help was asked for and printed
		return code
	}
	if err != nil {
		return fail(stderr, wantsJSON(args), usage(err))
	}
	settings, err := config.LoadStarter(environ)
	if err != nil && parsed.Command() != "version" {
		return fail(stderr, c.Output == "json", usage(err))
	}
	s := &session{
		config: settings, log: telemetry.NewLogger(stderr, settings.Format, settings.Level), stdin: stdin, progress: stderr,
		out: printer{json: c.Output == "json", w: stdout},
	}
	defer s.close()
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(s); err != nil {
		return fail(stderr, c.Output == "json", s.blame(err))
	}
	return exitDone
}

// printable refuses arguments that are no UTF-8, by the name of their flag. The parser would replace the bytes, and another
// key than the caller's would be used.
func printable(args []string) error {
	for i, arg := range args {
		if utf8.ValidString(arg) {
			continue
		}
		name, _, _ := strings.Cut(arg, "=")
		if !strings.HasPrefix(arg, "--") && i > 0 {
			name = args[i-1]
		}
		field := strings.ReplaceAll(strings.TrimPrefix(name, "--"), "-", "_")
		if !strings.HasPrefix(name, "--") || !utf8.ValidString(name) {
			field = "argument"
		}
		return settlement.Invalidf(field, "must be valid UTF-8")
	}
	return nil
}

func wantsJSON(args []string) bool {
	for i, a := range args {
		if a == "-ojson" || a == "--output=json" || (a == "-o" || a == "--output") && i+1 < len(args) && args[i+1] == "json" {
			return true
		}
	}
	return false
}

func usage(err error) error {
	var known *settlement.Error
	if errors.As(err, &known) {
		return err
	}
	return settlement.Errorf(settlement.Invalid, "%w", err)
}

func quietly(log *slog.Logger) *slog.Logger {
	return slog.New(atLeast{log.Handler(), slog.LevelWarn})
}

// atLeast hides what the SDK tells at info level: a command's stderr is for people.
type atLeast struct {
	slog.Handler
	level slog.Level
}

func (a atLeast) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= a.level && a.Handler.Enabled(ctx, level)
}
func (a atLeast) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeast{a.Handler.WithAttrs(attrs), a.level}
}
func (a atLeast) WithGroup(name string) slog.Handler {
	return atLeast{a.Handler.WithGroup(name), a.level}
}
