package rules

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/account"
	"usher/cmd/usher/internal/config"
	"usher/internal/rules"
)

// maxRuleFile limits how much of a file is read. It is above the limit of rules.Load,
// which refuses a longer file with an error.
const maxRuleFile = 2 << 20

// readRules reads a rule file and returns its errors and warnings. The set is nil if
// the file is not valid.
func readRules(path string) (*rules.Set, []rules.Problem, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read rule file: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxRuleFile))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, fmt.Errorf("read rule file %s: %w", path, err)
	}
	set, problems := rules.LoadWith(path, data, rules.ReadTable)
	return set, problems, nil
}

// loadRules reads a rule file and prints its errors and warnings to stderr. It returns
// an error if the file is not valid.
func loadRules(cmd *cobra.Command, path string) (*rules.Set, error) {
	set, problems, err := readRules(path)
	if err != nil {
		return nil, err
	}
	more, err := disabledActions(cmd, set)
	if err != nil {
		return nil, err
	}
	for _, p := range append(problems, more...) {
		fmt.Fprintln(cmd.ErrOrStderr(), printableLines(p.String()))
	}
	if set == nil {
		return nil, fmt.Errorf("%s is not valid: fix the errors above", path)
	}
	return set, nil
}

// disabledActions returns a warning for each rule of a set that the configuration does not let
// change anything. The configuration is read only if the set, which may be nil, depends on it.
func disabledActions(cmd *cobra.Command, set *rules.Set) ([]rules.Problem, error) {
	if set == nil || len(set.Changes(nil)) == 0 {
		return nil, nil
	}
	cfg, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return set.Disabled(cfg.Strings("actions")), nil
}

// undelivered returns a warning for each number from outside that rules of a set, which may be nil, read
// and nobody has delivered. It returns an error if NATS cannot be reached.
func undelivered(cmd *cobra.Command, set *rules.Set) ([]rules.Problem, error) {
	if set == nil || !set.ReadsOutcomes() {
		return nil, nil
	}
	names, err := account.Delivered(cmd, set)
	if err != nil {
		return nil, err
	}
	return set.Undelivered(names), nil
}

// unheard returns a warning for each rule of a set that reports to people, of whom the
// configuration has none. It is read only if the set, which may be nil, depends on it.
func unheard(cmd *cobra.Command, set *rules.Set) ([]rules.Problem, error) {
	if set == nil || !slices.ContainsFunc(set.Rules, func(r *rules.Rule) bool { return r.Notify != "" }) {
		return nil, nil
	}
	cfg, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return set.Unheard(cfg.String("alerts.webhook") != "" || cfg.String("alerts.smtp") != ""), nil
}
