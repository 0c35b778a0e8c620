package workers

import (
	"context"
	"errors"
	"slices"
	"strings"

	"usher"
	"usher/internal/rtb"
)

// intend decides what changes: the creatives that the job names, or all, less
// those that a newer job has spoken on, those that wait for approval and those
// that are as wanted already.
func (c *change) intend(now []rtb.CreativeStatus) (*usher.Intent, error) {
	named, err := c.named(now)
	if err != nil {
		return nil, err
	}
	newer, err := c.Superseded(c.ctx, named)
	if err != nil {
		return nil, err
	}
	if len(newer) > 0 {
		c.warnf("superseded", "a newer job has spoken on %s: left as it is", strings.Join(newer, ", "))
	}
	intent := &usher.Intent{Before: map[string]string{}, Wanted: c.wanted}
	for _, s := range now {
		code := s.CreativeCode
		if !slices.Contains(named, code) || slices.Contains(newer, code) {
			continue
		}
		intent.Before[code] = s.ApprovalStatus
		switch {
		case s.ApprovalStatus == c.wanted:
		case !c.asSeen(s):
			c.warnf("changed_meanwhile", "creative %s was changed after the rule had seen it: left as it is", code)
		case s.ApprovalStatus == rtb.Pending:
			c.warnf("pending", "creative %s waits for approval: left out", code)
		default:
			intent.Changing = append(intent.Changing, code)
		}
	}
	return intent, nil
}

func (c *change) named(now []rtb.CreativeStatus) ([]string, error) {
	all := make([]string, len(now))
	for i, s := range now {
		all[i] = s.CreativeCode
	}
	if c.decided != nil {
		return c.ruled(all), nil
	}
	if len(c.Job.Creatives) == 0 {
		return all, nil
	}
	for _, code := range c.Job.Creatives {
		if !slices.Contains(all, code) {
			return nil, usher.Refuse(usher.NotFound, "the campaign has "+strings.Join(all, ", "),
				"campaign %s has no creative %s", c.Job.Campaign, code)
		}
	}
	return c.Job.Creatives, nil
}

// open are the creatives still to be changed. One that is neither as it was
// nor as we want it was changed by somebody else since, and on one that a newer
// job has spoken on since, our word does not hold any more: hands off.
func (c *change) open(ctx context.Context, now []rtb.CreativeStatus) ([]string, error) {
	if c.Progress.Intent.Accounted {
		return nil, nil
	}
	var open []string
	for _, s := range now {
		code := s.CreativeCode
		if slices.Contains(c.Progress.Intent.Changing, code) &&
			s.ApprovalStatus != c.wanted && s.ApprovalStatus == c.Progress.Intent.Before[code] {
			open = append(open, code)
		}
	}
	newer, err := c.Superseded(ctx, open)
	return slices.DeleteFunc(open, func(code string) bool { return slices.Contains(newer, code) }), err
}

// hear takes what the platform said of the creatives that were asked for. A
// refusal of single creatives (E10059, as a warning or as an error) is an
// answer; any other error climbs.
func (c *change) hear(asked []string, warnings []usher.Warning, err error) error {
	var fault *rtb.Fault
	var p *usher.Permanent
	switch {
	case errors.As(err, &fault) && fault.Code == rtb.CodeStatusRefused:
		warnings, err = fault.Errors, nil
	case errors.As(err, &p) && p.Class == usher.Refused:
		// Not about the creative: most likely the platform's lock is gone. A
		// further attempt locks anew, so this is not for ever.
		err = errors.New(err.Error())
	}
	for _, w := range warnings {
		for _, code := range asked {
			if len(asked) == 1 || mentions(w.Description, code) {
				c.said[code] = w
			}
		}
		c.Progress.Warnings = usher.AddWarnings(c.Progress.Warnings, w)
	}
	switch {
	case c.lost != nil:
		c.lostOn = asked
	case err == nil:
		for _, code := range asked {
			c.answered[code] = true
		}
	}
	return err
}

// mentions reports whether a text names a creative, as a whole word: "a-1" is
// not named by "a-10".
func mentions(text, code string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && r != '.' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}), code)
}
