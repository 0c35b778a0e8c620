package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func submitCommand() *cobra.Command {
	return &cobra.Command{Use: "submit KIND", Short: "Publish a job", RunE: func(*cobra.Command, []string) error {
		return errors.New("not there yet")
	}}
}
