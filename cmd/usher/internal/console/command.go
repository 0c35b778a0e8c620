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
	return command.Group("console", "Who may log in to the console", consolePasswd())
}

func consolePasswd() *cobra.Command {
	var role string
	cmd := &cobra.Command{
		Use:   "passwd USER",
		Short: "Make a user's line of the console's password file",
		Long: `Asks for a password and prints the user's line of the password file that
console.users names: user:role:hash, the hash being bcrypt's. A viewer sees
everything; an operator also cancels, replays, edits, discards, pauses, resumes
and stops, approves, rejects and undoes runs of rules; an admin also starts again
what was stopped, pauses lanes and sets the limit. Where stdin is no
terminal the password is its first line.`,
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

// newPassword reads a password: twice and unseen from a terminal, else one line.
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
	for i, prompt := range []string{"password: ", "once more: "} {
		fmt.Fprint(errs, prompt)
		data, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(errs)
		if err != nil {
			return "", fmt.Errorf("read password: %w", err)
		}
		typed[i] = string(data)
	}
	if typed[0] != typed[1] {
		return "", errors.New("read password: the two are not the same")
	}
	return typed[0], nil
}
