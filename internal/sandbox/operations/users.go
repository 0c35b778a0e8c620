package operations

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

// defaultCurrency is the default currency of advertisers, by the interface document, and of
// users.
const defaultCurrency = "USD"

func (s *State) putUser(c *Call, in rtb.UserDefinition) (rtb.Nothing, error) {
	row, found := s.users.Get(in.Username)
	if found && row.Maker != c.User && (in.Username != c.User || row.Gone) {
		return rtb.Nothing{}, Forbidden()
	}
	if !found || row.Gone {
		row = user{Maker: c.User, Currency: defaultCurrency, Links: map[string]string{}}
	}
	settings := in.Settings
	switch {
	case nameRule(in.Username) != "":
		return rtb.Nothing{}, Invalid("username", nameRule(in.Username))
	case row.Password == "" && settings.Password == "":
		return rtb.Nothing{}, Invalid("password", "is required for a new user")
	case settings.ReportingCurrency != "" && !knownCurrency(settings.ReportingCurrency):
		return rtb.Nothing{}, Invalid("reportingCurrency", currencyRule)
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
		return user{}, Unknown("user", username)
	}
	return row, nil
}

func (s *State) getUser(c *Call, in rtb.UserPath) (rtb.UserAnswer, error) {
	row, err := s.activeUser(in.Username)
	if err != nil {
		return rtb.UserAnswer{}, err
	}
	if row.Maker != c.User && in.Username != c.User {
		return rtb.UserAnswer{}, Forbidden()
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
		return rtb.Nothing{}, Forbidden()
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

// realmRule returns the rule that a realm violates, or "".
func realmRule(realm string) string {
	if realm != rtb.RealmAdmin && realm != rtb.RealmView && realm != rtb.RealmAgencyAdmin {
		return "must be ADMIN, VIEW or AGENCYADMIN"
	}
	return ""
}

func (s *State) linkUser(c *Call, in rtb.LinkPath) (rtb.Nothing, error) {
	if _, err := s.findAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.Nothing{}, err
	}
	row, err := s.activeUser(in.Username)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if in.Realm == "" {
		in.Realm = rtb.RealmAdmin
	}
	if rule := realmRule(in.Realm); rule != "" {
		return rtb.Nothing{}, Invalid("realm", rule)
	}
	return rtb.Nothing{}, s.store.Commit(s.users.Put(in.Username, row.withLink(in.AdvertiserCode, in.Realm)))
}

// withLink returns the user with an added link, or with another realm in an existing link.
func (u user) withLink(advertiser, realm string) user {
	links := map[string]string{advertiser: realm}
	for other, otherRealm := range u.Links {
		if other != advertiser {
			links[other] = otherRealm
		}
	}
	u.Links = links
	return u
}

// linked returns the names of the users with a link to the advertiser, in order. They do
// not include the AGENCYADMIN users of its parents.
func (s *State) linked(advertiser string) []string {
	names := []string{}
	for _, name := range s.users.Keys() {
		if s.users.Row(name).Links[advertiser] != "" {
			names = append(names, name)
		}
	}
	return names
}

func (s *State) advertiserUsers(c *Call, in rtb.AdvertiserPath) (rtb.UsernamesAnswer, error) {
	_, err := s.findAdvertiser(c, in.AdvertiserCode)
	return rtb.UsernamesAnswer{Users: s.linked(in.AdvertiserCode)}, err
}

func (s *State) connections(c *Call, in rtb.AdvertiserPath) (rtb.ConnectionsAnswer, error) {
	_, err := s.findAdvertiser(c, in.AdvertiserCode)
	list := []rtb.UserConnection{}
	for _, name := range s.linked(in.AdvertiserCode) {
		list = append(list, rtb.UserConnection{Username: name, Realm: s.users.Row(name).Links[in.AdvertiserCode]})
	}
	return rtb.ConnectionsAnswer{Users: list}, err
}

func (s *State) unlinkUser(c *Call, in rtb.LinkedUserPath) (rtb.Nothing, error) {
	if _, err := s.findAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.Nothing{}, err
	}
	if !slices.Contains(s.linked(in.AdvertiserCode), in.Username) {
		return rtb.Nothing{}, Unknown("link of advertiser "+in.AdvertiserCode+" to user", in.Username)
	}
	row := s.users.Row(in.Username)
	row.Links = maps.Clone(row.Links)
	delete(row.Links, in.AdvertiserCode)
	return rtb.Nothing{}, s.store.Commit(s.users.Put(in.Username, row))
}
