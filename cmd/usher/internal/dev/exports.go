package dev

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The exports that usher dev has for the first minutes: what a CRM system writes on two days. On the
// second one, customer 1004 is gone and 1011 is new.
const (
	firstDay = `customer,idfa,country
1001,6D92078A-8246-4BA4-AE5B-76104861E7DC,DE
1002,C47E19D3-5B0A-4E86-93F1-7D2A60B8E51C,DE
1003,00000000-0000-0000-0000-000000000000,FR
1004,C3F2A1E0-5B7D-4E8A-9F10-2D3C4B5A6978,FR
1005,N/A,FR
1006,6D92078A-8246-4BA4-AE5B-76104861E7DC,DE
1007,7D1B4A90-3C2E-4F5D-8A6B-9C0D1E2F3A4B,GB
1008,not asked,GB
1009,E8B4C6D2-7A15-4F3E-B2C9-0D6F8A1B3C5E,IT
1010,5B0F8E6D-2C4A-4F7B-8D31-6E9A0C1B2D3F,IT
`
	secondDay = `customer,idfa,country
1001,6D92078A-8246-4BA4-AE5B-76104861E7DC,DE
1002,C47E19D3-5B0A-4E86-93F1-7D2A60B8E51C,DE
1003,00000000-0000-0000-0000-000000000000,FR
1005,N/A,FR
1006,6D92078A-8246-4BA4-AE5B-76104861E7DC,DE
1007,7D1B4A90-3C2E-4F5D-8A6B-9C0D1E2F3A4B,GB
1008,not asked,GB
1009,E8B4C6D2-7A15-4F3E-B2C9-0D6F8A1B3C5E,IT
1010,5B0F8E6D-2C4A-4F7B-8D31-6E9A0C1B2D3F,IT
1011,A92C7F04-6B3D-4E58-9C1A-F7D08E2B5A63,ES
`
)

// exports returns the paths of the two exports.
func (d *Dev) exports() (first, second string) {
	return filepath.Join(d.Data, "crm.csv"), filepath.Join(d.Data, "crm-day2.csv")
}

// writeExports writes the exports into the data folder, unless they are there.
func (d *Dev) writeExports() error {
	first, second := d.exports()
	for path, text := range map[string]string{first: firstDay, second: secondDay} {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			_, err = f.WriteString(text)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return fmt.Errorf("write an export to begin with: %w", err)
		}
	}
	return nil
}

// printNext prints what a person who has never seen usher types next.
func (d *Dev) printNext(out io.Writer) {
	if len(d.rules) > 0 {
		file := d.rules[0]
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			file = filepath.Join(file, "FILE.yaml")
		}
		fmt.Fprintf(out, `
Try this in another terminal, in this folder:
  usher rules ls
  usher rules preview %[1]s --as-of 2014-04-10
  usher rules backtest %[1]s --from 2014-03-17 --to 2014-04-20
and look at the rules on the console.

`, file)
		return
	}
	first, second := d.exports()
	fmt.Fprintf(out, `
Try this in another terminal, in this folder:
  usher inspect %[1]s
  usher submit segment.mirror --segment 4 --profile idfa %[1]s --wait
  usher submit segment.mirror --segment 4 --profile idfa %[2]s --wait   # the next day
and look at the audience on the console.

`, first, second)
}
