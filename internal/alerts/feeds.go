package alerts

import (
	"context"
	"net/url"

	"usher/internal/feeds"
	"usher/internal/readable"
)

// findFeeds finds feeds that are late or blind, and exports that are held, and those that no longer are.
func (d *detector) findFeeds(ctx context.Context, s *alertState, _ bool) error {
	all, err := feeds.NewStates(d.queue).List(ctx)
	if err != nil {
		return err
	}
	present := map[string]bool{}
	for i := range all {
		for _, m := range d.feedMessages(&all[i]) {
			if present[m.Incident] = true; s.Open[m.Incident] == nil && len(s.Open) < maxOpen {
				s.open(m, d.now())
			}
		}
	}
	for _, kind := range []Kind{LateFeed, BlindFeed, HeldExport} {
		for _, name := range s.names(kind) {
			if !present[name] {
				s.end(name, d.now(), feedEnd(name, all))
			}
		}
	}
	return nil
}

// feedMessages returns what is wrong with a feed.
func (d *detector) feedMessages(f *feeds.State) []Message {
	var messages []Message
	link := d.page("/audiences/" + url.PathEscape(f.Spec.Target))
	if by, late := f.Late(d.queue.Now()); late {
		m := newMessage(LateFeed, f.Name, "Feed "+f.Name+" is late", by)
		m.Details = []string{"An export was expected by " + clock(by, d.Zone) + "."}
		m.Action = "Check why it was not written. usher takes it when it comes." + d.command("usher feeds show "+f.Name)
		m.Link = link
		messages = append(messages, m)
	}
	if f.Blind != "" && f.Paused == nil {
		m := newMessage(BlindFeed, f.Name, "Feed "+f.Name+" is blind: "+readable.Line(f.Blind, 200), f.BlindSince)
		m.Details = []string{"Its place cannot be looked at, so new exports are not seen."}
		m.Action = "Check the place, its credentials and sources.allow." + d.command("usher feeds show "+f.Name)
		m.Link = link
		messages = append(messages, m)
	}
	for _, version := range f.HeldVersions() {
		v := f.Versions[version]
		m := newMessage(HeldExport, heldName(f.Name, version), "Feed "+f.Name+" holds an export: "+readable.Line(v.Reason, 150), v.Since)
		if v.Rows != nil {
			m.Count, m.Counted = *v.Rows, "row"
		}
		m.Details = []string{"The rule " + v.Held + " of the feed holds it."}
		m.Action = "Approve or reject the export. Until then it is not taken." + d.command("usher feeds approve "+f.Name+" "+version+", or reject")
		if v.Fails() {
			m.Details = []string{"Its job would fail at once, so it cannot be approved."}
			m.Action = "Have it written again, or correct job.source in the feed file." + d.command("usher feeds show "+f.Name)
		}
		m.Link = link
		messages = append(messages, m)
	}
	return messages
}

func heldName(feed, version string) string { return feed + "/" + version }

// feedEnd says how an incident of a feed has ended.
func feedEnd(name string, all []feeds.State) string {
	for i := range all {
		f := &all[i]
		if name == string(BlindFeed)+"/"+f.Name && f.Paused == nil {
			return "The place can be looked at again."
		}
		if name == string(LateFeed)+"/"+f.Name || name == string(BlindFeed)+"/"+f.Name {
			if f.Paused != nil {
				return "The feed was paused by " + f.Paused.By + "."
			}
			return "An export has come."
		}
		for version, v := range f.Versions {
			if v.Resolution != nil && name == string(HeldExport)+"/"+heldName(f.Name, version) {
				return decided(v.Resolution.Approved, v.Resolution.By, v.Resolution.Reason)
			}
		}
	}
	return ""
}
