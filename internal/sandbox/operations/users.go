package operations

import (
	"slices"
	"strings"
	"unicode"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
	"usher/internal/sandbox/store"
)

// defaultCurrency is the default currency of advertisers, by the interface document, and of
// users.
const defaultCurrency = "USD"

func (s *State) putUser(c *Call, in rtb.UserDefinition) (rtb.Nothing, error) {
	row, found := s.users.Get(in.Username)
	if found && row.Maker != c.User && (in.Username != c.User || row.Gone) {
		return rtb.Nothing{}, envelope.Forbidden()
	}
	if !found || row.Gone {
		row = user{Maker: c.User, Currency: defaultCurrency, Links: map[string]string{}}
	}
	settings := in.Settings
	switch {
	case nameRule(in.Username) != "":
		return rtb.Nothing{}, envelope.Invalid("username", nameRule(in.Username))
	case row.Password == "" && settings.Password == "":
		return rtb.Nothing{}, envelope.Invalid("password", "is required for a new user")
	case settings.ReportingCurrency != "" && !knownCurrency(settings.ReportingCurrency):
		return rtb.Nothing{}, envelope.Invalid("reportingCurrency", currencyRule)
	}
	if settings.Password != "" {
		row.Password = hashPassword(in.Username, settings.Password)
	}
	if settings.ReportingCurrency != "" {
		row.Currency = settings.ReportingCurrency
	}
	return rtb.Nothing{}, s.store.Commit(s.users.Put(in.Username, row))
}

// nameRule returns the rule that a name chosen by a caller violates, or "".
func nameRule(name string) string {
	if len(name) > 128 || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == '/' }) {
		return "must be at most 128 printable characters without a slash"
	}
	return ""
}

// activeUser returns a user that is not deactivated.
func (s *State) activeUser(username string) (user, error) {
	row, found := s.users.Get(username)
	if !found || row.Gone {
		return user{}, envelope.Unknown("user", username)
	}
	return row, nil
}

func (s *State) getUser(c *Call, in rtb.UserPath) (rtb.UserAnswer, error) {
	row, err := s.activeUser(in.Username)
	if err != nil {
		return rtb.UserAnswer{}, err
	}
	if row.Maker != c.User && in.Username != c.User {
		return rtb.UserAnswer{}, envelope.Forbidden()
	}
	answer := rtb.User{Username: in.Username, ReportingCurrency: row.Currency, Connections: []rtb.Connection{}}
	if answer.ReportingCurrency == "" {
		answer.ReportingCurrency = defaultCurrency
	}
	for advertiser, realm := range row.Links {
		answer.Connections = append(answer.Connections, rtb.Connection{Advertiser: advertiser, Realm: realm})
	}
	slices.SortFunc(answer.Connections, func(a, b rtb.Connection) int { return strings.Compare(a.Advertiser, b.Advertiser) })
	return rtb.UserAnswer{User: answer}, nil
}

func (s *State) deleteUser(c *Call, in rtb.UserPath) (rtb.Nothing, error) {
	row, err := s.activeUser(in.Username)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if row.Maker != c.User {
		return rtb.Nothing{}, envelope.Forbidden()
	}
	row.Gone, row.Links = true, map[string]string{}
	changes := []store.Change{s.users.Put(in.Username, row)}
	for key, t := range s.tokens.All() {
		if t.User == in.Username {
			changes = append(changes, s.tokens.Drop(key))
		}
	}
	return rtb.Nothing{}, s.store.Commit(changes...)
}
