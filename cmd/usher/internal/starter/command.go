package starter

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/doctor"
	"usher/cmd/usher/internal/terminal"
)

// options are the flags of usher init.
type options struct {
	folder, allow, ledger, timezone string
	ask, check                      bool
	version                         string
}

// Command returns usher init of a version of usher.
func Command(version string) *cobra.Command {
	o := options{version: version}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration to begin with, and check it",
		Long: `Write usher.yaml, feeds.yaml and rules.yaml into a folder, then run usher doctor. On a
terminal, init asks for what no flag says; the default of each answer is in brackets.
It overwrites no file.

The rule only records what it would do (mode observe), and neither rules nor feeds are
active until usher.yaml names their files. The password of the platform is not written:
give it as USHER_PLATFORM_PASSWORD, or name a file with it by USHER_PLATFORM_PASSWORD_FILE.`,
		Example: `  usher init
  usher init --nats nats://nats:4222 --platform https://platform.example.com --allow /exports --ask=false`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("ask") {
				o.ask = terminal.IsTerminal(cmd.InOrStdin())
			}
			return o.run(cmd)
		},
	}
	cmd.Flags().StringVar(&o.folder, "folder", ".", "folder for the files")
	cmd.Flags().StringVar(&o.allow, "allow", "", "folder or URL from which jobs may read exports (sources.allow)")
	cmd.Flags().StringVar(&o.ledger, "ledger", "", "folder or bucket of the ledger, for mirrors and forgetting (ledger.url)")
	cmd.Flags().StringVar(&o.timezone, "timezone", "UTC", "IANA time zone of the advertiser's account, for rules")
	cmd.Flags().BoolVar(&o.ask, "ask", false, "ask for what no flag says; on a terminal, it does unless --ask=false")
	cmd.Flags().BoolVar(&o.check, "check", true, "run usher doctor with the configuration")
	config.AddFlags(cmd, "nats", "redis", "platform", "username", "advertiser")
	return cmd
}

func (o *options) run(cmd *cobra.Command) error {
	c, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	a := answers{
		NATS: c.String("nats.url"), Redis: c.String("redis.url"), Platform: c.String("platform.url"),
		Username: c.String("platform.username"), Advertiser: c.String("platform.advertiser"),
		Allow: o.allow, Ledger: o.ledger, Timezone: o.timezone,
	}
	if o.ask {
		if err := a.ask(cmd); err != nil {
			return err
		}
	}
	if err := a.check(); err != nil {
		return err
	}
	path, err := a.write(cmd.OutOrStdout(), o.folder)
	if err != nil || !o.check {
		return err
	}
	examine := doctor.Command(o.version)
	examine.SetArgs([]string{"--config", path})
	examine.SetOut(cmd.OutOrStdout())
	examine.SetErr(cmd.ErrOrStderr())
	examine.SilenceUsage, examine.SilenceErrors = true, true
	return examine.ExecuteContext(cmd.Context())
}

// ask asks for each answer that no flag gave. An empty line takes the default.
func (a *answers) ask(cmd *cobra.Command) error {
	in := bufio.NewReader(io.LimitReader(cmd.InOrStdin(), 64<<10))
	for _, q := range []struct {
		flag, question string
		value          *string
	}{
		{"nats", "NATS, several servers separated by commas", &a.NATS},
		{"redis", "Redis", &a.Redis},
		{"platform", "the platform's URL", &a.Platform},
		{"username", "the API user", &a.Username},
		{"advertiser", "the advertiser's code", &a.Advertiser},
		{"timezone", "the account's time zone", &a.Timezone},
		{"allow", "folder or URL of exports", &a.Allow},
		{"ledger", "folder or bucket of the ledger", &a.Ledger},
	} {
		if cmd.Flags().Changed(q.flag) {
			continue
		}
		usual := "none"
		if *q.value != "" {
			usual = config.HideLogin(*q.value)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s [%s]: ", q.question, usual)
		line, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the answer: %w", err)
		}
		if line = strings.TrimSpace(line); line != "" {
			*q.value = line
		}
	}
	fmt.Fprintln(cmd.ErrOrStderr())
	return nil
}

// check returns an error if an answer is not accepted.
func (a *answers) check() error {
	for key, value := range map[string]string{
		"nats.url": a.NATS, "redis.url": a.Redis, "platform.url": a.Platform, "ledger.url": a.Ledger,
		"platform.username": a.Username, "platform.advertiser": a.Advertiser,
	} {
		if err := config.CheckValue(key, key, value); err != nil {
			return err
		}
	}
	return nil
}

// write writes the files that do not exist, and returns the path of the configuration.
func (a *answers) write(out io.Writer, folder string) (string, error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return "", fmt.Errorf("make the folder: %w", err)
	}
	for _, f := range a.files() {
		path := filepath.Join(folder, f.name)
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // an address may have a password
		if errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("%s exists: remove it, or give another --folder", path)
		}
		if err != nil {
			return "", fmt.Errorf("write %s: %w", path, err)
		}
		_, err = file.WriteString(f.text)
		if err = errors.Join(err, file.Close()); err != nil {
			return "", fmt.Errorf("write %s: %w", path, err)
		}
		fmt.Fprintf(out, "%s: %s\n", path, f.about)
	}
	return filepath.Join(folder, configFile), nil
}
