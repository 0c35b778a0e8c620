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
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/readable"
)

func add() *cobra.Command {
	return change("added", func(ctx context.Context, list ledger.Suppression, digests []hashing.Digest) (int64, error) {
		_, added, err := list.Add(ctx, newID(), digests)
		return added, err
	}, command.About{
		Use:   "add ID…",
		Short: "Put ids on the suppression list",
		Long: `Put ids on the suppression list, so that no job uploads them. An id is put there in all forms
in which it may be hashed; only digests are stored. An id may also be an MD5 digest, and -
reads ids from stdin. The ids stay in segments that have them: 'usher submit device.forget'
removes them, too.`,
		Example: `  usher suppress add 6D92078A-8246-4BA4-AE5B-76104861E7DC --reason "request 4711"
  usher suppress add - < ids.txt`,
	})
}

func remove() *cobra.Command {
	return change("removed", func(ctx context.Context, list ledger.Suppression, digests []hashing.Digest) (int64, error) {
		return list.Remove(ctx, newID(), digests)
	}, command.About{
		Use:   "remove ID…",
		Short: "Take ids off the suppression list",
		Long: `Take ids off the suppression list, in all forms in which they may be hashed. Jobs that begin
later may upload them again. An id may also be an MD5 digest, as 'usher suppress ls' shows
it, and - reads ids from stdin.`,
		Example: `  usher suppress remove 6D92078A-8246-4BA4-AE5B-76104861E7DC --reason "has agreed again"`,
	})
}

// change returns an act on the digests of ids. do returns how many digests it has changed.
func change(done string, do func(ctx context.Context, list ledger.Suppression, digests []hashing.Digest) (int64, error), about command.About) *cobra.Command {
	var digests []hashing.Digest
	about.Args = func(cmd *cobra.Command, args []string) error {
		return command.ExactArgs("ID")(cmd, args[:min(len(args), 1)])
	}
	about.Check = func(c *command.Call) (err error) {
		digests, err = digestsOf(c.Cmd.InOrStdin(), c.Args)
		return err
	}
	return command.Act[session, string]{
		About: about,
		On:    opened(),
		Do: func(ctx context.Context, c *command.Call, s session) (string, error) {
			changed, err := do(ctx, s.list(), digests)
			if err != nil {
				return "", err
			}
			text := readable.Count(changed, "digest") + " " + done
			if changed == 0 {
				return text, nil
			}
			return text, s.queue.Audit().Setting(ctx, s.queue.Now(), "suppression list", "kept", text, c.By())
		},
		Print: (*command.Call).Println,
	}.Command()
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
