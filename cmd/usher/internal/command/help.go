package command

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"usher/cmd/usher/internal/terminal"
)

// WrapHelp makes root and all commands below it wrap the help of flags. A usage template
// with FlagUsagesWrapped would link text/template, which prevents the linker from
// removing unused methods: the binary would be 40 % larger.
func WrapHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.Join(terminal.Wrap(f.Usage, 72), "\n") })
		help(cmd, args)
	})
}
