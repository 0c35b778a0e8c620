package command

import (
	"os/user"

	"github.com/spf13/cobra"

	"usher/internal/readable"
	"usher/queues"
)

// Actor is who does something, and why: the audit keeps both.
type Actor struct{ name, reason string }

func (a *Actor) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.name, "actor", "", "who does it, for the audit (default: the user of this system)")
	cmd.Flags().StringVar(&a.reason, "reason", "", "why, for the audit")
}

func (a *Actor) Act() queues.Act { return queues.Act{Actor: ActorOr(a.name), Reason: a.reason} }

// SystemUser is who runs this, as the system names them.
func SystemUser() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return readable.Printable(u.Username)
	}
	return "unknown"
}

// ActorOr is the actor of a flag, or the user of this system.
func ActorOr(actor string) string {
	if actor == "" {
		return SystemUser()
	}
	return actor
}
