package settings

import (
	"context"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/queues"
)

// setting is a setting, as printed by --json.
type setting struct {
	usher.Setting
	Value string `json:"value"` // "stopped", "paused", "kept until …", or a rate such as "20/s"
}

// Command returns usher settings.
func Command() *cobra.Command {
	return command.List[*queues.Queue, setting]{
		About: command.About{
			Use: "settings", Short: "List what people have set at run time, with who, since when and why",
			Long: `List what people have set at run time, until somebody takes it back: the stop switch
('usher stop-switch'), paused lanes ('usher lanes pause'), paused rules ('usher rules
pause'), paused feeds ('usher feeds pause'), rate limits ('usher limits set'), and what
people keep rules from changing ('usher rules keep').`,
			Example: "  usher settings --json",
			JSON:    "an array of settings",
		},
		On: connect.Queue(),
		Load: func(ctx context.Context, _ *command.Call, q *queues.Queue) ([]setting, error) {
			all, err := q.Settings().All(ctx)
			rows := make([]setting, 0, len(all))
			for i := range all {
				rows = append(rows, setting{all[i], all[i].Value()})
			}
			return rows, err
		},
		Columns: []command.Column{
			{Header: "SETTING"}, {Header: "NAME", Cut: 2}, {Header: "VALUE"}, {Header: "BY", Cut: 3, Drop: 2}, {Header: "SINCE", Drop: 1}, {Header: "WHY", Cut: 1},
		},
		Row: func(s *setting, times terminal.Times) []string {
			since := "–"
			if !s.At.IsZero() { // not written by hand
				since = times.Text(s.At)
			}
			return []string{string(s.Kind), orDash(s.Name), s.Value, orDash(s.By), since, orDash(s.Reason)}
		},
		None: "nothing is set: the configuration applies, and nothing is paused or stopped",
	}.Command()
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
