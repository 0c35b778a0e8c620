package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func deadCommand() *cobra.Command {
	return &cobra.Command{Use: "dead", Short: "See, replay and discard dead letters", RunE: func(*cobra.Command, []string) error {
		return errors.New("not there yet")
	}}
}
