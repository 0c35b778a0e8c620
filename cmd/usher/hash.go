package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func hashCommand() *cobra.Command {
	return &cobra.Command{Use: "hash", Short: "Ids on stdin, digests on stdout", RunE: func(*cobra.Command, []string) error {
		return errors.New("not there yet")
	}}
}
