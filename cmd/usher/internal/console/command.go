package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"usher/cmd/usher/internal/command"
	"usher/internal/console"
)

// Command returns usher console.
func Command() *cobra.Command {
	return command.Group("console", "Manage the console's users", consolePasswd())
}

func consolePasswd() *cobra.Command {
	var role string
	cmd := &cobra.Command{
		Use:   "passwd USER",
		Short: "Print a user's line for the console's password file",
		Long: `Ask for a password and print the user's line for the password file that
console.users names: user:role:hash, with a bcrypt hash. If stdin is not a terminal,
the password is its first line.

A viewer sees everything. An operator may also cancel jobs, replay, edit and discard
dead letters, pause and resume creatives, turn on the stop switch, and approve, reject
and undo runs of rules. An admin may also turn off the stop switch, pause and resume
lanes, and set rate limits.`,
		Example: `  usher console passwd ada --role operator >> users`,
		Args:    command.ExactArgs("USER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := console.ParseRole(role)
			if err != nil {
				return err
			}
			password, err := newPassword(cmd.InOrStdin(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			line, err := console.UserLine(args[0], r, password)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), line)
			return nil
		},
	}
	command.ChoiceVar(cmd, &role, "role", "what the user may do", "viewer", "operator", "admin")
	role = "viewer"
	cmd.Flags().Lookup("role").DefValue = role
	return cmd
}

// newPassword reads a password: twice and without echo from a terminal, otherwise from the
// first line of in.
func newPassword(in io.Reader, errs io.Writer) (string, error) {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read password: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	var typed [2]string
	for i, prompt := range []string{"password: ", "repeat the password: "} {
		fmt.Fprint(errs, prompt)
		data, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(errs)
		if err != nil {
			return "", fmt.Errorf("read password: %w", err)
		}
		typed[i] = string(data)
	}
	if typed[0] != typed[1] {
		return "", errors.New("read password: the two passwords differ")
	}
	return typed[0], nil
}
