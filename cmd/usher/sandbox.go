package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func sandboxCommand() *cobra.Command {
	return &cobra.Command{Use: "sandbox", Short: "Serve the platform's sandbox", RunE: func(*cobra.Command, []string) error {
		return errors.New("not there yet")
	}}
}
