package sandbox

import (
	"slices"
	"strings"
	"unicode"

	"usher/internal/rtb"
)

// defaultCurrency is the interface's default of an advertiser's currency, and
// ours of a user's.
const defaultCurrency = "USD"

func (w *world) putUser(c *call, in rtb.UserDefinition) (rtb.Nothing, error) {
	row, found := w.users.rows[in.Username]
	if found && row.Maker != c.user && (in.Username != c.user || row.Gone) {
		return rtb.Nothing{}, forbidden()
	}
	if !found || row.Gone {
		row = user{Maker: c.user, Currency: defaultCurrency, Links: map[string]string{}}
	}
	settings := in.Settings
	switch {
	case nameRule(in.Username) != "":
		return rtb.Nothing{}, invalid("username", nameRule(in.Username))
	case row.Password == "" && settings.Password == "":
		return rtb.Nothing{}, invalid("password", "is required for a new user")
	case settings.ReportingCurrency != "" && !knownCurrency(settings.ReportingCurrency):
		return rtb.Nothing{}, invalid("reportingCurrency", currencyRule)
	}
	if settings.Password != "" {
		row.Password = hashPassword(in.Username, settings.Password)
	}
	if settings.ReportingCurrency != "" {
		row.Currency = settings.ReportingCurrency
	}
	return rtb.Nothing{}, w.commit(nil, w.users.put(in.Username, row))
}

// nameRule says what is wrong with a name that others choose, if anything.
func nameRule(name string) string {
	if len(name) > 128 || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == '/' }) {
		return "must be at most 128 printable characters without a slash"
	}
	return ""
}

// activeUser finds a user that was not deactivated.
func (w *world) activeUser(username string) (user, error) {
	row, found := w.users.rows[username]
	if !found || row.Gone {
		return user{}, unknown("user", username)
	}
	return row, nil
}

func (w *world) getUser(c *call, in rtb.UserPath) (rtb.UserAnswer, error) {
	row, err := w.activeUser(in.Username)
	if err != nil {
		return rtb.UserAnswer{}, err
	}
	if row.Maker != c.user && in.Username != c.user {
		return rtb.UserAnswer{}, forbidden()
	}
	shown := rtb.User{Username: in.Username, ReportingCurrency: row.Currency, Connections: []rtb.Connection{}}
	if shown.ReportingCurrency == "" {
		shown.ReportingCurrency = defaultCurrency
	}
	for advertiser, realm := range row.Links {
		shown.Connections = append(shown.Connections, rtb.Connection{Advertiser: advertiser, Realm: realm})
	}
	slices.SortFunc(shown.Connections, func(a, b rtb.Connection) int { return strings.Compare(a.Advertiser, b.Advertiser) })
	return rtb.UserAnswer{User: shown}, nil
}

func (w *world) deleteUser(c *call, in rtb.UserPath) (rtb.Nothing, error) {
	row, err := w.activeUser(in.Username)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if row.Maker != c.user {
		return rtb.Nothing{}, forbidden()
	}
	row.Gone, row.Links = true, map[string]string{}
	changes := []change{w.users.put(in.Username, row)}
	for key, t := range w.tokens.rows {
		if t.User == in.Username {
			changes = append(changes, w.tokens.drop(key))
		}
	}
	return rtb.Nothing{}, w.commit(nil, changes...)
}
