package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func doctorCommand() *cobra.Command {
	return &cobra.Command{Use: "doctor", Short: "Check every connection and setting", RunE: func(*cobra.Command, []string) error {
		return errors.New("not there yet")
	}}
}
