package main

import (
	"github.com/spf13/cobra"

	"usher/queues"
)

// actor is who does something, and why: the audit keeps both.
type actor struct{ name, reason string }

func (a *actor) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.name, "actor", "", "who does it, for the audit (default: the user of this system)")
	cmd.Flags().StringVar(&a.reason, "reason", "", "why, for the audit")
}

func (a *actor) act() queues.Act { return queues.Act{Actor: actorOr(a.name), Reason: a.reason} }
