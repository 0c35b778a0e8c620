package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func jobsCommand() *cobra.Command {
	return &cobra.Command{Use: "jobs", Short: "See and cancel jobs", RunE: func(*cobra.Command, []string) error {
		return errors.New("not there yet")
	}}
}
