package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/internal/rtb"
)

// failure is the end of a call without a success.
type failure struct {
	call        *apiCall
	login       connect.Login
	err         error
	interrupted bool
	sent        bool // the request was sent, at least in part
	in          any  // the input of the operation
}

// report prints the failed envelope, if --json is given, and returns the error for the
// terminal: the platform's words, what to do, and what may have happened.
func (f *failure) report(cmd *cobra.Command) error {
	var fault *rtb.Fault
	text := f.err.Error()
	if errors.As(f.err, &fault) {
		text = strings.Replace(text, fault.Error(), fault.Whole(), 1)
		if body := fault.Body(); f.call.json && body != nil {
			if err := printJSON(cmd.OutOrStdout(), []byte(f.call.hide(string(body)))); err != nil {
				return err
			}
		}
	}
	text = f.call.hide(text)
	var input *rtb.InputError
	var later *usher.RetryAfter
	switch {
	case f.interrupted:
		text = "interrupted"
		if !f.sent {
			text += " before the request was sent"
		}
	case errors.As(f.err, &input):
		return command.Usagef("%s", text)
	case errors.As(f.err, &later):
		text += fmt.Sprintf("; the platform takes calls again in %s, at %s", readable.Duration(later.After), readable.Time(time.Now().Add(later.After)))
	default:
		text += f.login.Hint(f.err)
	}
	return errors.New(text + f.call.inDoubt(f.err, f.sent, f.body()))
}

// body returns the JSON that was sent, if any.
func (f *failure) body() json.RawMessage {
	field := f.call.bodyField()
	if field == nil {
		return nil
	}
	return bytes.TrimSpace(reflect.ValueOf(f.in).Field(field.Index).Bytes())
}

// doubt says what a call may have done if its answer was lost, and how to find out.
type doubt struct {
	may    string // "the segment may have been created"
	look   string // a command line, with the names of inputs in braces
	unsafe bool   // a repeated call would do it again
}

// doubts has an entry for each operation that changes something.
var doubts = sync.OnceValue(func() map[string]doubt {
	const (
		segment, campaign = "usher api segments get {segmentId}", "usher api campaigns get {campaignCode}"
		user, advertiser  = "usher api users get {username}", "usher api advertisers get {advertiserCode}"
		member            = "usher api segments contains {segmentId} {segmentType} {userId}"
		links             = "usher api advertisers connections {advertiserCode}"
		blocklist         = "usher api advertisers blocklist {advertiserCode}"
		mobile            = "usher api campaigns mobile-targets {campaignCode}"
		targets           = "usher api campaigns user-targets {campaignCode}"
		statuses          = "usher api campaigns status {campaignCode}"
	)
	return map[string]doubt{
		"users.put":                      {"the user may have been created or changed", user, false},
		"users.delete":                   {"the user may have been deactivated", user, false},
		"advertisers.create":             {"the advertiser may have been created", "usher api advertisers list", true},
		"advertisers.update":             {"the advertiser may have been replaced", advertiser, false},
		"advertisers.delete":             {"the advertiser may have been deactivated", advertiser, false},
		"advertisers.link":               {"the user may have been linked", links, false},
		"advertisers.unlink":             {"the link may have been removed", links, false},
		"advertisers.block":              {"the domain may have been blocked", blocklist, false},
		"advertisers.unblock":            {"the domain may have been removed from the blocklist", blocklist, false},
		"segments.create":                {"the segment may have been created", "usher api segments list --search {name}", true},
		"segments.update":                {"the segment may have been replaced", segment, false},
		"segments.delete":                {"the segment may have been deleted", segment, false},
		"segments.add-user":              {"the user may have been added", member, false},
		"segments.remove-user":           {"the user may have been removed", member, false},
		"segments.upload":                {"the users may have been added", segment, false},
		"campaigns.put":                  {"the campaign may have been created or replaced", campaign, false},
		"campaigns.lock":                 {"the campaign may be locked, for up to 5 minutes", "usher api campaigns unlock {campaignCode}", false},
		"campaigns.unlock":               {"the campaign may be unlocked", campaign, false},
		"campaigns.add-mobile-targets":   {"the ids may have been uploaded", mobile, false},
		"campaigns.clear-mobile-targets": {"the targeting may have been removed", mobile, false},
		"campaigns.add-user-targets":     {"the ids may have been uploaded", targets, false},
		"campaigns.clear-user-targets":   {"the targeting may have been removed", targets, false},
		"campaigns.set-status":           {"the status of the creatives may have changed", statuses, false},
		"creatives.set-status":           {"the status of the creative may have changed", "usher api creatives status {creativeCode}", false},
		"creatives.push":                 {"the file may have been uploaded: the platform does not list uploads, and a second one only makes another asset", "", false},
		"creatives.pull":                 {"the file may have been fetched: the platform does not list uploads, and a second one only makes another asset", "", false},
		"ssp.put-publisher":              {"the publisher may have been created or updated", "usher api ssp publisher {publisherId}", false},
		"ssp.put-adslot":                 {"the adslot may have been created or updated", "usher api ssp adslot {publisherId} {adslotId}", false},
		"payments.create":                {"the payment may have been made", "usher api reporting transactions {advertiserCode} {yesterday} {today}", true},
	}
})

// inDoubt returns the doubt about a call whose request was sent and which ended with err,
// and "" if it is known that nothing was done. body is the JSON that was sent.
func (c *apiCall) inDoubt(err error, sent bool, body json.RawMessage) string {
	d, changes := doubts()[c.op.Name]
	if !changes || !sent || !maybeDone(err) {
		return ""
	}
	text := "\n" + d.may
	if d.look == "" {
		return text
	}
	if d.unsafe {
		return text + ". Look before you repeat the call, because that would do it again:\n  " + c.fillLook(d.look, body)
	}
	return text + ". Repeating the call does no harm; look with:\n  " + c.fillLook(d.look, body)
}

// maybeDone reports whether an error leaves open whether the platform did what it was asked:
// the answer was lost, was cut, or was a 5xx.
func maybeDone(err error) bool {
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return false
	}
	var unavailable *usher.Unavailable
	var refused *usher.Permanent
	var fault *rtb.Fault
	switch {
	case errors.As(err, &unavailable):
		return true
	case errors.As(err, &refused) || errors.Is(err, usher.ErrUnauthorized):
		return false
	}
	return !errors.As(err, &fault) || fault.Status/100 != 4 // such as an interrupt
}

// fillLook replaces the names in a command line by the values of the call.
func (c *apiCall) fillLook(look string, body json.RawMessage) string {
	now := time.Now().UTC()
	values := map[string]string{"today": now.Format(time.DateOnly), "yesterday": now.AddDate(0, 0, -1).Format(time.DateOnly)}
	var fields map[string]json.RawMessage
	if len(body) > 0 && json.Unmarshal(body, &fields) == nil {
		for name, value := range fields {
			values[name] = cell(bytes.TrimSpace(value))
		}
	}
	for _, in := range c.inputs {
		if in.set && !in.secret && len(in.path) == 1 {
			values[in.path[0]] = in.String()
		}
	}
	for name, value := range values {
		look = strings.ReplaceAll(look, fmt.Sprintf("{%s}", name), readable.ShellWord(value))
	}
	return look
}
