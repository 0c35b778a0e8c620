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

// A secret is what the table marks as one: it must not stand on a command line,
// where every process of the machine can read it.

// variable is the environment variable that holds the secret.
func (in *apiInput) variable() string {
	return "USHER_API_" + strings.ToUpper(strings.ReplaceAll(in.flag, "-", "_"))
}

func (in *apiInput) addSecretFlags(cmd *cobra.Command) {
	cmd.Flags().String(in.flag+"-file", "", "`file` with the "+strings.ReplaceAll(in.flag, "-", " ")+", - for stdin; else "+in.variable()+", "+in.variable()+"_FILE, or it is asked for")
	if !in.required {
		cmd.Flags().Bool("ask-"+in.flag, false, "ask for the "+strings.ReplaceAll(in.flag, "-", " ")+" on the terminal")
	}
}

// readSecret gets the secret from a file, the environment or the terminal.
// fallback is the configured one, where there is one.
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
		return command.Usagef("the %s is empty: write it into the file or variable that it comes from", in.path[len(in.path)-1])
	}
	in.texts, in.set = []string{text}, true
	return nil
}

// secretLimit is how many bytes of a secret's file are read.
const secretLimit = 4 << 10

func (in *apiInput) readSecretFile(cmd *cobra.Command, path string) (string, error) {
	source := cmd.InOrStdin()
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", in.path[len(in.path)-1], err)
		}
		defer func() { _ = file.Close() }() // only read
		source = file
	}
	data, err := io.ReadAll(io.LimitReader(source, secretLimit+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s: %w", in.path[len(in.path)-1], err)
	case len(data) > secretLimit:
		return "", command.Usagef("the %s has more than %d bytes: is this the right file?", in.path[len(in.path)-1], secretLimit)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// prompt asks on the terminal, without showing what is typed.
func (in *apiInput) prompt(cmd *cobra.Command) (string, error) {
	terminal, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return "", command.Usagef("%s is missing: give --%s-file FILE, %s or %s_FILE; on a terminal it is asked for",
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

// hide takes what must not be shown out of a text.
func (c *apiCall) hide(text string) string {
	for _, secret := range c.secrets {
		if len(secret) >= 3 {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return text
}

// readSecrets gets what the operation takes and nobody may see. With a body
// given whole only what was asked for is read.
func (c *apiCall) readSecrets(cmd *cobra.Command, cfg config.Config, getenv func(string) (string, bool)) error {
	for _, in := range c.inputs {
		if !in.secret {
			continue
		}
		fallback := ""
		if c.op.Open {
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
