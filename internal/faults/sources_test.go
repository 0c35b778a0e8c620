package faults_test

import (
	"errors"
	"fmt"
	"strings"
)

// slots is the number of jobs with exports that the workers run at the same time.
const slots = 2 * workers

// sources returns the faults of sources of exports.
func sources() []kind {
	return []kind{{name: "sources drip", alone: true, inject: (*cycle).drip}}
}

// drip lets exports deliver less than sources.min_rate, as many as there are slots. Each must say so,
// and give its slot back, so that other uploads end. No pause waits for them.
func (c *cycle) drip() (fault, error) {
	c.site.web.drips.Store(true)
	var drips []*job
	for range slots {
		j := c.jobs.download(c.site.web, 600) // 22 kB
		c.add(j)
		drips = append(drips, j)
	}
	shown := map[string]bool{}
	missed := func() string {
		if len(shown) == 0 {
			return "no source has dripped"
		}
		return ""
	}
	return fault{missed: missed, heal: func() error {
		c.site.web.drips.Store(false)
		return nil
	}, during: func() error {
		if err := c.pauses(); err != nil {
			return err
		}
		upload := c.jobs.inline(5)
		c.add(upload)
		return within(patience, func() (err error) {
			for _, j := range drips {
				r, readErr := c.observe.record(j.id)
				switch {
				case readErr != nil:
					return readErr
				case r.Why != nil && strings.Contains(*r.Why, "sources.min_rate"):
					shown[j.id] = true
				}
				switch {
				case !shown[j.id]:
					err = errors.Join(err, fmt.Errorf("the record of %s does not say that its source is slow", j.id))
				case r.Attempts < 2 && r.Retry == nil:
					err = errors.Join(err, fmt.Errorf("%s keeps its slot", j.id))
				}
			}
			if open := c.ended(upload); open != nil {
				err = errors.Join(err, fmt.Errorf("%s waits for slots: %w", upload.id, open))
			}
			return err
		})
	}}, nil
}
