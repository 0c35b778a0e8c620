package command

import (
	"github.com/spf13/cobra"

	"usher/queues/audit"
)

// Actor has the values of the flags --actor and --reason: who acts and why, for the audit.
type Actor struct{ name, reason string }

// AddFlags adds the flags to cmd.
func (a *Actor) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.name, "actor", "", "person or system that acts, for the audit (default: the user of this system)")
	cmd.Flags().StringVar(&a.reason, "reason", "", "reason, for the audit")
}

// Act returns the actor and the reason.
func (a *Actor) Act() audit.Act { return audit.Act{Actor: ActorName(a.name), Reason: a.reason} }
