package campaign

import (
	"errors"
	"slices"
	"strings"

	"usher"
	"usher/internal/rtb"
)

// judge is step 5: it notes for each creative what a response says about it. It returns
// err, except if err refuses single creatives: E10059 may be a warning or an error.
func (p *protocol) judge(creatives []string, warnings []usher.Warning, err error) error {
	var fault *rtb.Fault
	var permanent *usher.Permanent
	switch {
	case errors.As(err, &fault) && fault.Code == rtb.CodeStatusRefused:
		warnings, err = fault.Errors, nil
	case errors.As(err, &permanent) && permanent.Class == usher.Refused:
		// Not about the creative: most likely the platform's lock is gone.
		// Not wrapped, because the next attempt takes a new lock.
		err = errors.New(err.Error())
	}
	for _, w := range warnings {
		for _, code := range creatives {
			if len(creatives) == 1 || mentions(w.Description, code) {
				p.warned[code] = w
			}
		}
		p.job.AddWarnings(w)
	}
	if err == nil {
		for _, code := range creatives {
			p.answered[code] = true
		}
	}
	return err
}

// mentions reports whether a text contains a creative's code as a whole word:
// "a-10" does not mention "a-1".
func mentions(text, code string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && r != '.' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}), code)
}
