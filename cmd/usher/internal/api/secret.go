package api

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/internal/rtb"
)

// Secrets, as marked in the table of operations, are not accepted on the command line,
// where every process of the machine can read them.

// variable returns the name of the environment variable for the secret.
func (in *apiInput) variable() string {
	return "USHER_API_" + strings.ToUpper(strings.ReplaceAll(in.flag, "-", "_"))
}

func (in *apiInput) addSecretFlags(cmd *cobra.Command) {
	cmd.Flags().String(in.flag+"-file", "", "`file` with the "+strings.ReplaceAll(in.flag, "-", " ")+", - for stdin (default "+in.variable()+", "+in.variable()+"_FILE, or a prompt)")
	if !in.required {
		cmd.Flags().Bool("ask-"+in.flag, false, "prompt for the "+strings.ReplaceAll(in.flag, "-", " ")+" on the terminal")
	}
}

// readSecret reads the secret from a file, the environment, the configuration
// (fallback, or "") or the terminal.
func (in *apiInput) readSecret(cmd *cobra.Command, getenv func(string) (string, bool), needed bool, fallback string) error {
	path, _ := cmd.Flags().GetString(in.flag + "-file")
	ask := false
	if !in.required {
		ask, _ = cmd.Flags().GetBool("ask-" + in.flag)
	}
	text, found := getenv(in.variable())
	if path == "" && !found {
		path, _ = getenv(in.variable() + "_FILE")
	}
	var err error
	switch {
	case path != "":
		text, err = in.readSecretFile(cmd, path)
	case found && !ask:
	case fallback != "":
		text = fallback
	case ask || needed:
		text, err = in.prompt(cmd)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	if text == "" {
		return command.Usagef("the %s is empty: set it in its file or variable", in.path[len(in.path)-1])
	}
	in.texts, in.set = []string{text}, true
	return nil
}

// secretLimit limits the bytes read from a secret's file.
const secretLimit = 4 << 10

func (in *apiInput) readSecretFile(cmd *cobra.Command, path string) (string, error) {
	source := cmd.InOrStdin()
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", in.path[len(in.path)-1], err)
		}
		defer func() { _ = file.Close() }() // opened for reading
		source = file
	}
	data, err := io.ReadAll(io.LimitReader(source, secretLimit+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s: %w", in.path[len(in.path)-1], err)
	case len(data) > secretLimit:
		return "", command.Usagef("the %s has more than %d bytes: check that this is the right file", in.path[len(in.path)-1], secretLimit)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// prompt reads the secret from the terminal without echo.
func (in *apiInput) prompt(cmd *cobra.Command) (string, error) {
	terminal, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return "", command.Usagef("%s is missing: use --%s-file FILE, %s or %s_FILE, or run the command on a terminal",
			in.path[len(in.path)-1], in.flag, in.variable(), in.variable())
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s (not shown): ", in.path[len(in.path)-1])
	data, err := term.ReadPassword(int(terminal.Fd()))
	fmt.Fprintln(cmd.ErrOrStderr())
	if err != nil {
		return "", fmt.Errorf("read %s from the terminal: %w", in.path[len(in.path)-1], err)
	}
	return string(data), nil
}

// hide removes the secrets from a text.
func (c *apiCall) hide(text string) string {
	for _, secret := range c.secrets {
		if len(secret) >= 3 {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return text
}

// readSecrets reads the operation's secrets. With --body it reads only those that were
// requested by flags.
func (c *apiCall) readSecrets(cmd *cobra.Command, cfg config.Config, getenv func(string) (string, bool)) error {
	for _, in := range c.inputs {
		if !in.secret {
			continue
		}
		fallback := ""
		if c.op.Open && c.asConfigured(cfg) {
			fallback = cfg.String("platform.password")
		}
		needed := in.required && (in.where != rtb.InBody || c.body == "")
		if err := in.readSecret(cmd, getenv, needed, fallback); err != nil {
			return err
		}
		c.secrets = append(c.secrets, in.texts...)
	}
	return nil
}

// asConfigured reports whether the login operation is for the configured user. The password
// of that user must not be sent with the name of another one.
func (c *apiCall) asConfigured(cfg config.Config) bool {
	for _, in := range c.inputs {
		if in.path[0] == "username" {
			return in.String() == cfg.String("platform.username")
		}
	}
	return false
}
