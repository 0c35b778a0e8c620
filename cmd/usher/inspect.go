package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func inspectCommand() *cobra.Command {
	return &cobra.Command{Use: "inspect FILE", Short: "Report on an export, offline", RunE: func(*cobra.Command, []string) error {
		return errors.New("not there yet")
	}}
}
