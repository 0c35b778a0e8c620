package starter

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
)

// MigrateCommand returns usher migrate.
func MigrateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Declare streams, consumers and buckets on NATS",
		Long: `Create usher's streams, consumers and buckets on NATS, or update their settings. migrate
deletes nothing and may be run at any time. Run it before the first 'usher run' and
after every upgrade, with a login to NATS that may declare streams. The login of a worker
does not need this permission.`,
		Example: `  usher migrate --nats nats://nats:4222
  USHER_NATS_REPLICAS=3 usher migrate`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			logger, err := connect.NewLogger(c, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if err := connect.Declare(cmd.Context(), c, logger); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "usher's streams, consumers and buckets are declared on %s\n", config.HideLogin(c.String("nats.url")))
			return nil
		},
	}
	config.AddFlags(cmd, "nats", "namespace", "log-level", "log-format")
	return cmd
}
