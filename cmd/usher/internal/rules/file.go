package rules

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"usher/internal/rules"
)

// maxRuleFile is more than a rule file may have; what is longer is refused with
// a reason when it is read.
const maxRuleFile = 2 << 20

// readRules reads a rule file and returns what is wrong or doubtful in it.
func readRules(path string) (*rules.Set, []rules.Problem, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read rule file: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxRuleFile))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, fmt.Errorf("read rule file %s: %w", path, err)
	}
	set, problems := rules.Load(path, data)
	return set, problems, nil
}

// loadRules reads a rule file that must be good, and says on stderr what is not.
func loadRules(cmd *cobra.Command, path string) (*rules.Set, error) {
	set, problems, err := readRules(path)
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		fmt.Fprintln(cmd.ErrOrStderr(), printableLines(p.String()))
	}
	if set == nil {
		return nil, fmt.Errorf("%s is not valid: mend what is said above", path)
	}
	return set, nil
}
