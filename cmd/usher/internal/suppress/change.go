package suppress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/readable"
	"usher/queues"
)

func add() *cobra.Command {
	var c change
	cmd := &cobra.Command{
		Use:   "add ID…",
		Short: "Put ids on the suppression list",
		Long: `Put ids on the suppression list, so that no job uploads them. An id is put there in all forms
in which it may be hashed; only digests are stored. An id may also be an MD5 digest, and -
reads ids from stdin. The ids stay in segments that have them: 'usher submit device.forget'
removes them, too.`,
		Example: `  usher suppress add 6D92078A-8246-4BA4-AE5B-76104861E7DC --reason "request 4711"
  usher suppress add - < ids.txt`,
		Args: someIDs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args, c.add) },
	}
	c.addFlags(cmd)
	return cmd
}

func remove() *cobra.Command {
	var c change
	cmd := &cobra.Command{
		Use:   "remove ID…",
		Short: "Take ids off the suppression list",
		Long: `Take ids off the suppression list, in all forms in which they may be hashed. Jobs that begin
later may upload them again. An id may also be an MD5 digest, as 'usher suppress ls' shows
it, and - reads ids from stdin.`,
		Example: `  usher suppress remove 6D92078A-8246-4BA4-AE5B-76104861E7DC --reason "has agreed again"`,
		Args:    someIDs,
		RunE:    func(cmd *cobra.Command, args []string) error { return c.run(cmd, args, c.remove) },
	}
	c.addFlags(cmd)
	return cmd
}

// someIDs accepts one argument or more.
func someIDs(cmd *cobra.Command, args []string) error {
	return command.ExactArgs("ID")(cmd, args[:min(len(args), 1)])
}

// change is a change of the list.
type change struct{ actor command.Actor }

func (c *change) addFlags(cmd *cobra.Command) {
	c.actor.AddFlags(cmd)
	config.AddFlags(cmd, "nats", "namespace")
}

// run makes a change, which returns how many digests it has changed, and what it did.
func (c *change) run(cmd *cobra.Command, args []string, make func(context.Context, *ledger.Store, []hashing.Digest) (int64, string, error)) error {
	digests, err := digestsOf(cmd.InOrStdin(), args)
	if err != nil {
		return err
	}
	return connect.WithLedger(cmd, func(ctx context.Context, _ config.Config, q *queues.Queue, store *ledger.Store) error {
		changed, what, err := make(ctx, store, digests)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s %s", readable.Count(changed, "digest"), what)
		if changed > 0 {
			if err := q.Audit().Setting(ctx, q.Now(), "suppression list", "kept", text, c.actor.Act()); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	})
}

func (c *change) add(ctx context.Context, store *ledger.Store, digests []hashing.Digest) (int64, string, error) {
	_, added, err := store.Suppression().Add(ctx, newID(), digests)
	return added, "added", err
}

func (c *change) remove(ctx context.Context, store *ledger.Store, digests []hashing.Digest) (int64, string, error) {
	removed, err := store.Suppression().Remove(ctx, newID(), digests)
	return removed, "removed", err
}

// newID returns a name for the files of a command.
func newID() string { return "suppress-" + strings.ToLower(rand.Text()[:10]) }

// digestsOf returns the digests of all forms of ids, sorted.
func digestsOf(in io.Reader, args []string) ([]hashing.Digest, error) {
	var digests []hashing.Digest
	for i, id := range args {
		if id == "-" {
			more, err := digestsIn(in)
			if err != nil {
				return nil, err
			}
			digests, in = append(digests, more...), strings.NewReader("")
			continue
		}
		forms, reason := formsOf(id)
		if len(forms) == 0 {
			return nil, command.Usagef("argument %d is no device id (%s)", i+1, reason)
		}
		digests = append(digests, forms...)
	}
	slices.SortFunc(digests, func(a, b hashing.Digest) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(digests), nil
}

// digestsIn returns the digests of all forms of the ids on the lines of in.
func digestsIn(in io.Reader) (digests []hashing.Digest, err error) {
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		forms, reason := formsOf(lines.Text())
		if len(forms) == 0 && reason != hashing.Empty {
			return nil, fmt.Errorf("line %d is no device id (%s)", number, reason)
		}
		digests = append(digests, forms...)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read ids from stdin: %w", err)
	}
	return digests, nil
}

// formsOf returns the digests of all forms of an id. 32 hex characters may be a digest, too.
func formsOf(id string) ([]hashing.Digest, hashing.Reason) {
	forms, reason := hashing.Forms([]byte(id))
	if one, err := hashing.DecodeForms(strings.TrimSpace(id)); err == nil && len(one) == 1 {
		forms = append(forms, one[0])
	}
	return forms, reason
}
