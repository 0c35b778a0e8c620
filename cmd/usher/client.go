package main

import (
	"context"
	"os"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"usher/queues"
)

// withQueue runs use with the jobs on the configured NATS.
func withQueue(cmd *cobra.Command, use func(ctx context.Context, q *queues.Queue) error) error {
	c, err := loadConfig(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	logger, err := newLogger(c, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	var nc *nats.Conn
	if nc, err = connect(c, logger); err != nil {
		return err
	}
	defer drain(nc)
	q, err := openQueue(cmd.Context(), nc, c, logger, nil)
	if err != nil {
		return err
	}
	return use(cmd.Context(), q)
}

// addQueueFlags gives a command the flags that say where the jobs are.
func addQueueFlags(cmds ...*cobra.Command) {
	for _, cmd := range cmds {
		addConfigFlags(cmd, "nats", "namespace")
	}
}
