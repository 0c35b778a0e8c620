package dead

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/letters"
)

func watch() *cobra.Command {
	var flags letterFlags
	var timeout time.Duration
	return command.Task[selection]{
		About: command.About{
			Use: "watch", SuggestFor: []string{"follow", "tail"},
			Short: "Watch dead letters arrive",
			Long: `Show the causes of the failed jobs and the newest letters on a screen that is drawn
again every second, until q or Ctrl-C. Without a terminal, print a line for each new letter.`,
			Example: `  usher dead watch
  usher dead watch --class unauthorized --timeout 10m`,
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().DurationVar(&timeout, "timeout", 0, "maximum time to watch (default: until Ctrl-C)")
			},
			Check: func(*command.Call) error {
				if timeout < 0 {
					return command.Usagef("flag --timeout takes a duration such as 10m")
				}
				return nil
			},
		},
		On: flags.session(),
		Run: func(ctx context.Context, c *command.Call, s selection) error {
			ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
			defer stop()
			if timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, timeout)
				defer cancel()
			}
			w := &watcher{letters: s.Letters, filter: s.filter}
			if terminal.IsTerminal(c.Out()) {
				return terminal.Watch(ctx, c.Out(), c.Cmd.InOrStdin(), w.update, w.write)
			}
			return w.lines(ctx, c.Out())
		},
	}.Command()
}

// watcher watches the letters that match a filter.
type watcher struct {
	letters *letters.Letters
	filter  letters.Filter

	groups []usher.LetterGroup
	newest []usher.DeadLetter // the newest first
	seen   uint64             // the number of the newest letter that was read
	read   time.Time
	err    error // of the last attempt to read
}

// How long one attempt to read may take, and the number of letters and causes on the screen.
const (
	readTimeout  = 5 * time.Second
	shownCauses  = 12
	shownLetters = 10
)

// lines prints a line for each letter that arrives from now on.
func (w *watcher) lines(ctx context.Context, out io.Writer) error {
	var err error
	if w.seen, err = w.letters.Newest(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	for {
		began := time.Now()
		err := w.arrivals(ctx, func(l usher.DeadLetter) error {
			_, err := fmt.Fprintf(out, "%s  %d  %s  %s  %s  %s  %s\n", readable.Time(l.At), l.Seq, terminal.Colour(out, string(l.Class)), l.Kind,
				readable.Printable(usher.TargetLabel(l.TargetName, l.Target)), readable.Printable(jobs.LetterID(&l)), readable.Line(l.Message, 300))
			return err
		})
		if err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(terminal.FrameInterval, 10*time.Since(began))):
		}
	}
}

// arrivals calls visit with the letters that were not read before.
func (w *watcher) arrivals(ctx context.Context, visit func(usher.DeadLetter) error) error {
	f := w.filter
	f.After = w.seen
	return w.letters.Each(ctx, f, func(l usher.DeadLetter) error {
		w.seen = max(w.seen, l.Seq)
		return visit(l)
	})
}

// update reads causes and letters. After an error, the screen has the old ones and says so.
func (w *watcher) update(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	groups, err := w.letters.Groups(ctx, w.filter)
	if err == nil {
		err = w.readNewest(ctx)
	}
	if w.err = err; err == nil {
		w.groups, w.read = groups, time.Now()
	}
}

// readNewest reads the newest letters again, because those on the screen may have been
// replayed or discarded.
func (w *watcher) readNewest(ctx context.Context) error {
	f := w.filter
	if len(w.newest) == shownLetters {
		f.After = w.newest[shownLetters-1].Seq - 1
	}
	var list []usher.DeadLetter
	err := w.letters.Each(ctx, f, func(l usher.DeadLetter) error {
		list = append([]usher.DeadLetter{l}, list[:min(len(list), shownLetters-1)]...)
		return nil
	})
	if err == nil {
		w.newest = list
	}
	return err
}

// write writes a frame.
func (w *watcher) write(out io.Writer, now time.Time) error {
	if err := terminal.WriteWrapped(out, w.heading(now)); err != nil {
		return err
	}
	causes := terminal.Table{Header: []string{"COUNT", "CLASS", "TARGET", "FIRST", "LAST", "GROUP", "MESSAGE"}, Right: []int{1}, Cut: []int{3, 7}, Drop: []int{4, 6}}
	for i := range w.groups[:min(len(w.groups), shownCauses)] {
		g := &w.groups[i]
		causes.Add(readable.Number(int64(g.Count)), string(g.Class), usher.TargetLabel(g.TargetName, g.Target), readable.Ago(g.First, now), readable.Ago(g.Last, now), g.Group, readable.Line(g.Message, 300))
	}
	if len(causes.Rows) > 0 {
		fmt.Fprintln(out, "\ncauses") // the table returns the error as well
		if err := causes.Write(out); err != nil {
			return err
		}
		andMore(out, len(w.groups)-shownCauses)
	}
	list := terminal.Table{Header: []string{"SEQ", "AT", "CLASS", "TARGET", "ID"}, Right: []int{1}, Cut: []int{4, 5}, Drop: []int{4}}
	for i := range w.newest {
		l := &w.newest[i]
		list.Add(fmt.Sprint(l.Seq), readable.Ago(l.At, now), string(l.Class), usher.TargetLabel(l.TargetName, l.Target), jobs.LetterID(l))
	}
	if len(list.Rows) == 0 {
		return nil
	}
	fmt.Fprintln(out, "\nnewest letters")
	return list.Write(out)
}

func (w *watcher) heading(now time.Time) string {
	count := 0
	for i := range w.groups {
		count += w.groups[i].Count
	}
	switch {
	case w.err != nil && w.read.IsZero():
		return "cannot read dead letters: " + readable.Line(w.err.Error(), 200)
	case w.err != nil:
		return fmt.Sprintf("NOT CURRENT: the figures are from %s, %s: %s", readable.Time(w.read), readable.Ago(w.read, now), readable.Line(w.err.Error(), 200))
	}
	return fmt.Sprintf("%s of %s; as of %s; q ends", readable.Count(count, "dead letter"), readable.Count(len(w.groups), "cause"), w.read.Local().Format(time.TimeOnly)) //nolint:gosmopolitan // read beside the local clock
}
