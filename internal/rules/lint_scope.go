package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/readable"
	"usher/internal/rules/document"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// placedText is a text and its place.
type placedText struct {
	text string
	at   document.Place
}

// patternList reads a list of texts that is not empty. example is one.
func (r *reader) patternList(n ast.Node, what, example string) []placedText {
	if text, ok := n.(*ast.StringNode); ok {
		r.Errorf(document.PlaceOf(n), fmt.Sprintf("write %s: [%q]", what, patternOf(text.Value)), "%s must be a list, and this is a single value", what)
		return nil
	}
	before := len(r.Problems)
	var list []placedText
	r.Items(n, what, func(item ast.Node) {
		if text, ok := r.Text(item, "a pattern of "+what); ok {
			list = append(list, placedText{text, document.PlaceOf(item)})
		}
	})
	if len(list) == 0 && len(r.Problems) == before {
		r.Errorf(document.PlaceOf(n), "write "+example, "%s is empty", what)
	}
	return list
}

// patterns reads patterns of campaign codes, and returns their places, too.
func (r *reader) patterns(n ast.Node, what string) (list []string, places []document.Place) {
	for _, item := range r.patternList(n, what, `["*"] for all campaigns`) {
		if r.isPattern(item.text, item.at) {
			list, places = append(list, item.text), append(places, item.at)
		}
	}
	return list, places
}

// isPattern adds an error and returns false if a text is no pattern of campaign codes.
func (r *reader) isPattern(glob string, at document.Place) bool {
	if _, err := path.Match(glob, ""); err != nil || glob == "" {
		r.Errorf(at, `write a code, or a pattern with * and ?, such as "SANDBOX1-*"`, "%q is not a pattern", glob)
		return false
	}
	other := strings.IndexFunc(glob, func(c rune) bool { return !codeForm().MatchString(string(c)) && !strings.ContainsRune(`*?[]^\`, c) })
	if other < 0 {
		return true
	}
	hint := "write the campaign's code, not its name, or a pattern of codes with *"
	switch {
	case strings.Contains(glob, ".*"):
		hint = fmt.Sprintf("write %q", strings.ReplaceAll(glob, ".*", "*"))
	case strings.Contains(glob, "%"):
		hint = fmt.Sprintf("write %q", strings.ReplaceAll(glob, "%", "*"))
	case strings.ContainsAny(glob, ",;"):
		codes := strings.FieldsFunc(glob, func(c rune) bool { return strings.ContainsRune(",; ", c) })
		hint = "write [" + strings.Join(quoted(codes), ", ") + "]"
	}
	r.Errorf(at, hint, "%q is no pattern of campaign codes: they have letters, digits and hyphens", glob)
	return false
}

func quoted(list []string) []string {
	var all []string
	for _, text := range list {
		all = append(all, fmt.Sprintf("%q", text))
	}
	return all
}

// lintPatterns finds patterns that cannot match. A campaign's code begins with the
// advertiser's code and a hyphen.
func (r *reader) lintPatterns(scope Scope, campaigns, exclude []document.Place) {
	account := r.set.Account + "-"
	if r.set.Account == "" {
		return
	}
	for i, glob := range scope.Campaigns {
		if !globsOverlap(glob, account+"*") {
			hint := fmt.Sprintf("campaigns of account %s begin with %q: write %q", r.set.Account, account, account+"*")
			switch {
			case len(glob) > len(account) && strings.EqualFold(glob[:len(account)], account):
				hint = fmt.Sprintf("write account: %s above, or %q here, as the platform writes it", glob[:len(account)-1], account+glob[len(account):])
			case codeForm().MatchString(glob) && !strings.Contains(glob, "-") && glob != r.set.Account:
				hint = fmt.Sprintf("campaigns of account %s begin with %q: write %q", r.set.Account, account, account+glob)
			}
			r.Errorf(campaigns[i], hint, "the pattern %q matches no campaign of the account", glob)
		}
	}
	for i, glob := range scope.Exclude {
		switch {
		case !globsOverlap(glob, account+"*"):
			hint := fmt.Sprintf("write %q", "*"+strings.Trim(glob, "*")+"*")
			if strings.HasSuffix(glob, "-*") {
				hint = fmt.Sprintf("campaigns of account %s begin with %q: write a pattern such as %q", r.set.Account, account, account+"loyalty*")
			}
			r.Errorf(exclude[i], hint, "exclude %q matches no campaign of the account, so it protects none", glob)
		case len(scope.Campaigns) > 0 && !slices.ContainsFunc(scope.Campaigns, func(of string) bool { return globsOverlap(of, glob) }):
			r.Warnf(exclude[i], "remove it, or correct it", "exclude %q matches no campaign in the scope, so it protects none", glob)
		}
	}
}

// lintExcluded finds a scope, or a campaign in it, that is excluded as a whole.
func (r *reader) lintExcluded(rule *Rule, at document.Place) {
	var list []string
	for _, glob := range rule.Scope.Campaigns {
		if slices.Contains(rule.Scope.Exclude, glob) || slices.Contains(rule.Scope.Exclude, "*") {
			r.Errorf(at, "remove the pattern from exclude, or the rule from the file", "the scope matches nothing: %q is excluded, too", glob)
			return
		}
		if codeForm().MatchString(glob) && matchesAny(rule.Scope.Exclude, glob) {
			list = append(list, glob)
		}
	}
	named := strings.Join(quoted(list), ", ")
	switch {
	case len(list) == 0:
	case len(list) == len(rule.Scope.Campaigns):
		r.Errorf(at, "remove the pattern from exclude, or the rule from the file", "the scope matches nothing: exclude has %s, too", named)
	default:
		r.Warnf(at, "remove it from campaigns, or its pattern from exclude", "exclude has %s, too, so the rule does not decide on it", named)
	}
}

// lintLimits finds rules without a bound, and limits that bound nothing. given are the
// places of the rule's keys.
func (r *reader) lintLimits(rule *Rule, given map[string]document.Place) {
	limits := rule.Limits
	isTogether := rule.Scope.Level == figures.AccountLevel
	isCap := isTogether || rule.readsAccountOnly()
	ofHours := rule.Hours != nil && rule.Pause == nil
	if !isCap && !ofHours {
		r.lintUnbounded(rule, given)
	}
	if isCap && limits.Share > 0 && limits.Share < 1 {
		r.Warnf(given["limits"], "remove max_share, or write mode: approve if a person must agree each time", "max_share: %s%% holds every change of the rule: %s, so that it wants to change all of them or none", readable.Short(limits.Share*100), map[bool]string{true: "it decides on all campaigns in scope together", false: "account.* is the same for all campaigns"}[isTogether])
	}
	if rule.Hours != nil && limits.Share > 0 && limits.Share < 1 {
		hint := "remove max_share, or write mode: approve if a person must agree each time"
		if !ofHours {
			hint = "write two rules: one with active_hours, and one with pause_when and max_share"
		}
		r.Warnf(given["limits"], hint, "max_share: %s%% holds every pause that the hours make: outside them the rule wants all of its creatives paused", readable.Short(limits.Share*100))
	}
	if limits.Share == 1 {
		r.Warnf(given["limits"], "write a smaller share, such as 20%", "max_share: 100%% limits nothing")
	}
	subject := "creative"
	if rule.Bidding != nil {
		subject = rule.Bidding.Field.String()
	}
	if flips := limits.FlipsPerDay; flips > 1 && rule.Cooldown.Hours() >= 24 {
		r.Warnf(given["limits"], "remove max_flips_per_day, or shorten cooldown", "max_flips_per_day: %d limits nothing: with cooldown: %s a %s is changed once a day at most", flips, durationText(rule.Cooldown), subject)
	}
}

// lintUnbounded finds a rule that may pause or change everything in one run.
func (r *reader) lintUnbounded(rule *Rule, given map[string]document.Place) {
	everything := slices.ContainsFunc(rule.Scope.Campaigns, func(glob string) bool {
		return glob == "*" || glob == r.set.Account+"*" || glob == r.set.Account+"-*"
	}) && rule.Scope.Selection() == ""
	if !everything || rule.Mode != Act || !rule.isUnlimited() {
		return
	}
	fault := "the rule may pause every creative of the account in one run: it has neither limits nor keep_active"
	hint := "write limits: {max_share: 20%}, so that a run over it waits for approval, or mode: approve"
	if rule.Limits.FlipsPerDay > 0 {
		fault = "the rule may pause every creative of the account in one run: max_flips_per_day bounds only the changes of each"
	}
	if rule.Hours != nil {
		hint = "write two rules: one with active_hours, and one with pause_when and limits: {max_share: 20%}; or write mode: approve"
	}
	if rule.Bidding != nil {
		fault = "the rule may change the " + rule.Bidding.Field.String() + " of every campaign of the account in one run: it has no limits"
	}
	r.Warnf(document.At(rule.Line, given["name"].Column), hint, "%s", fault)
}

// readsAccountOnly reports whether the rule's conditions read nothing but figures of the account,
// as a cap on the spend of all campaigns does.
func (rule *Rule) readsAccountOnly() bool {
	return len(rule.conditions()) > 0 && !slices.ContainsFunc(rule.expressions(), func(x *expression.Expression) bool {
		return slices.ContainsFunc(x.Columns(), func(column *expression.Expression) bool { return column.Source.Whose != expression.OfAccount })
	})
}

// isUnlimited reports whether nothing limits what the rule changes in one run.
func (rule *Rule) isUnlimited() bool {
	l := rule.Limits
	return rule.Scope.KeepActive == 0 && l.Creatives == 0 && l.Campaigns == 0 && l.Share == 0 && l.Amount == 0
}
