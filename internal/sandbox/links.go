package sandbox

import (
	"maps"
	"slices"

	"usher/internal/rtb"
)

// realmRule says what is wrong with a realm, if anything.
func realmRule(realm string) string {
	if realm != rtb.RealmAdmin && realm != rtb.RealmView && realm != rtb.RealmAgencyAdmin {
		return "must be ADMIN, VIEW or AGENCYADMIN"
	}
	return ""
}

func (w *world) linkUser(c *call, in rtb.LinkPath) (rtb.Nothing, error) {
	if _, err := w.ownAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.Nothing{}, err
	}
	row, err := w.activeUser(in.Username)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if in.Realm == "" {
		in.Realm = rtb.RealmAdmin
	}
	if rule := realmRule(in.Realm); rule != "" {
		return rtb.Nothing{}, invalid("realm", rule)
	}
	row.Links = maps.Clone(row.Links)
	if row.Links == nil {
		row.Links = map[string]string{}
	}
	row.Links[in.AdvertiserCode] = in.Realm
	return rtb.Nothing{}, w.commit(nil, w.users.put(in.Username, row))
}

// linked are the usernames with a link of their own to the advertiser.
func (w *world) linked(advertiser string) []string {
	names := []string{}
	for _, name := range w.users.keys() {
		if w.users.rows[name].Links[advertiser] != "" {
			names = append(names, name)
		}
	}
	return names
}

func (w *world) advertiserUsers(c *call, in rtb.AdvertiserPath) (rtb.UsernamesAnswer, error) {
	_, err := w.ownAdvertiser(c, in.AdvertiserCode)
	return rtb.UsernamesAnswer{Users: w.linked(in.AdvertiserCode)}, err
}

// connections has links of the advertiser's own only: who is AGENCYADMIN of its
// parents is not listed.
func (w *world) connections(c *call, in rtb.AdvertiserPath) (rtb.ConnectionsAnswer, error) {
	_, err := w.ownAdvertiser(c, in.AdvertiserCode)
	list := []rtb.UserConnection{}
	for _, name := range w.linked(in.AdvertiserCode) {
		list = append(list, rtb.UserConnection{Username: name, Realm: w.users.rows[name].Links[in.AdvertiserCode]})
	}
	return rtb.ConnectionsAnswer{Users: list}, err
}

func (w *world) unlinkUser(c *call, in rtb.LinkedUserPath) (rtb.Nothing, error) {
	if _, err := w.ownAdvertiser(c, in.AdvertiserCode); err != nil {
		return rtb.Nothing{}, err
	}
	if !slices.Contains(w.linked(in.AdvertiserCode), in.Username) {
		return rtb.Nothing{}, unknown("link of advertiser "+in.AdvertiserCode+" to user", in.Username)
	}
	row := w.users.rows[in.Username]
	row.Links = maps.Clone(row.Links)
	delete(row.Links, in.AdvertiserCode)
	return rtb.Nothing{}, w.commit(nil, w.users.put(in.Username, row))
}
