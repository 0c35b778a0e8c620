package operations

import (
	"maps"
	"slices"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
)

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
		return rtb.Nothing{}, envelope.Invalid("realm", rule)
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
		return rtb.Nothing{}, envelope.Unknown("link of advertiser "+in.AdvertiserCode+" to user", in.Username)
	}
	row := s.users.Row(in.Username)
	row.Links = maps.Clone(row.Links)
	delete(row.Links, in.AdvertiserCode)
	return rtb.Nothing{}, s.store.Commit(s.users.Put(in.Username, row))
}
