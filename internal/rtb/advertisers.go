package rtb

import (
	"encoding/json"
)

// Advertiser is an advertiser as the platform returns it: without its domain and
// its e-mail address.
type Advertiser struct {
	Code                string               `json:"code"`
	Name                string               `json:"name"`
	Status              string               `json:"status"                        help:"ACTIVE, INACTIVE"`
	CurrencyCode        string               `json:"currencyCode"                  help:"the account's base currency"`
	Margins             Margins              `json:"margins"`
	AttributionSettings *AttributionSettings `json:"attributionSettings,omitempty"`
}

// AdvertiserModel is an advertiser to be created, or to replace another one.
type AdvertiserModel struct {
	Code                       string               `json:"code,omitempty"                help:"generated; not sent"`
	Name                       string               `json:"name"`
	Status                     string               `json:"status,omitempty"              help:"ACTIVE (default), INACTIVE"`
	Domain                     string               `json:"domain"                        help:"such as example.com"`
	CurrencyCode               string               `json:"currencyCode,omitempty"        help:"default USD"`
	CorrespondenceEmailAddress string               `json:"correspondenceEmailAddress"    help:"for receipts of card payments"`
	Margins                    Margins              `json:"margins"`
	AttributionSettings        *AttributionSettings `json:"attributionSettings,omitempty"`
}

// Margins are the charges of an advertiser besides the media. A CPM is a charge per
// 1,000 impressions.
type Margins struct {
	MediaMargin          *float64 `json:"mediaMargin"                    help:"required"`
	AdvertisingChargeCPM *float64 `json:"advertisingChargeCpm,omitempty" help:"for ad serving; default 0"`
	ContextualChargeCPM  *float64 `json:"contextualChargeCpm,omitempty"  help:"default 0"`
	BrandSafetyChargeCPM *float64 `json:"brandSafetyChargeCpm,omitempty" help:"default 0"`
}

// AttributionSettings define which actions of users are attributed to an ad.
type AttributionSettings struct {
	PostClick      *Attribution `json:"postClick,omitempty"      help:"default 720 hours, 10 percent"`
	PostEngagement *Attribution `json:"postEngagement,omitempty" help:"default 72 hours, 10 percent"`
	PostView       *Attribution `json:"postView,omitempty"       help:"default 72 hours, 10 percent"`
}

// Attribution is the time after an event in which actions of the user are attributed
// to it, and the attributed share.
type Attribution struct {
	WindowInHours *float64 `json:"windowInHours" help:"hours after the event"`
	Percentage    *float64 `json:"percentage"    help:"0 to 100"`
}

// AdvertiserPath identifies an advertiser.
type AdvertiserPath struct {
	AdvertiserCode string `path:"advertiserCode" help:"an advertiser's code, such as SANDBOX1"`
}

// NewAdvertiser is an advertiser to be created.
type NewAdvertiser struct {
	Advertiser AdvertiserModel `body:"json"`
}

// AdvertiserUpdate replaces an advertiser.
type AdvertiserUpdate struct {
	AdvertiserCode string          `path:"advertiserCode" help:"an advertiser's code, such as SANDBOX1"`
	Advertiser     AdvertiserModel `body:"json"`
}

// AdvertiserCode is the code of a new advertiser.
type AdvertiserCode struct {
	Code string `json:"code"`
}

// AdvertisersAnswer has the codes of advertisers.
type AdvertisersAnswer struct {
	Advertisers []string `json:"advertisers"`
}

// AdvertiserAnswer has an advertiser.
type AdvertiserAnswer struct {
	Advertiser Advertiser `json:"advertiser"`
}

// The operations on advertisers.
var (
	AdvertisersCreate = post[NewAdvertiser, AdvertiserCode]("advertisers.create", "/v3/advertisers", "Create an advertiser and link it to the caller",
		"Create an advertiser, link it to the caller and return its code.", 400)
	AdvertisersList = get[Nothing, AdvertisersAnswer]("advertisers.list", "/v3/advertisers", "List the caller's advertisers' codes",
		"List the codes of the advertisers that the caller is linked to.")
	AdvertisersGet = get[AdvertiserPath, AdvertiserAnswer]("advertisers.get", "/v3/advertisers/{advertiserCode}", "Read an advertiser",
		"Read an advertiser. An unknown advertiser is not_found.", 404)
	AdvertisersUpdate = put[AdvertiserUpdate, Nothing]("advertisers.update", "/v3/advertisers/{advertiserCode}", "Replace an advertiser",
		"Replace an advertiser. Its domain and e-mail address must be given, and a read does not return them.", 400, 404)
	AdvertisersDelete = remove[AdvertiserPath, Nothing]("advertisers.delete", "/v3/advertisers/{advertiserCode}", "Deactivate an advertiser",
		"Deactivate an advertiser. An unknown advertiser is not_found.", 404)
)

func advertiserOperations() []Operation {
	return []Operation{
		AdvertisersCreate.Operation, AdvertisersList.Operation, AdvertisersGet.Operation,
		AdvertisersUpdate.Operation, AdvertisersDelete.Operation,
	}
}

// UserConnection is a link between a user and an advertiser, as listed for the
// advertiser.
type UserConnection struct {
	Username string `json:"username"`
	Realm    string `json:"realm"    help:"ADMIN, VIEW, AGENCYADMIN"`
}

// UnmarshalJSON reads the username from the key username or, if that is missing, from
// the only key besides realm. The interface document does not name the key.
func (u *UserConnection) UnmarshalJSON(data []byte) error {
	var known struct {
		Username string `json:"username"`
		Realm    string `json:"realm"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return err
	}
	*u = UserConnection(known)
	if u.Username != "" {
		return nil
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return err
	}
	delete(keys, "realm")
	if len(keys) == 1 { // several keys would be ambiguous
		for _, value := range keys {
			return json.Unmarshal(value, &u.Username)
		}
	}
	return nil
}

// LinkPath identifies a link to be created.
type LinkPath struct {
	AdvertiserCode string `path:"advertiserCode" help:"an advertiser's code, such as SANDBOX1"`
	Username       string `path:"username"       help:"a user's name"`
	Realm          string `path:"realm,optional" help:"ADMIN (default), VIEW, AGENCYADMIN"`
}

// LinkedUserPath identifies a link.
type LinkedUserPath struct {
	AdvertiserCode string `path:"advertiserCode" help:"an advertiser's code, such as SANDBOX1"`
	Username       string `path:"username"       help:"a user's name"`
}

// BlockedPath identifies a domain on an advertiser's blocklist.
type BlockedPath struct {
	AdvertiserCode string `path:"advertiserCode" help:"an advertiser's code, such as SANDBOX1"`
	Domain         string `path:"domain"         help:"a top-level private domain such as example.co.uk, not a sub-domain"`
}

// UsernamesAnswer has usernames.
type UsernamesAnswer struct {
	Users []string `json:"users"`
}

// ConnectionsAnswer has links.
type ConnectionsAnswer struct {
	Users []UserConnection `json:"users"`
}

// BlocklistAnswer has domains.
type BlocklistAnswer struct {
	Blocklist []string `json:"blocklist"`
}

// The operations on an advertiser's links and its blocklist.
var (
	AdvertisersLink = put[LinkPath, Nothing]("advertisers.link", "/v3/advertisers/{advertiserCode}/users/{username}/{realm}", "Link a user to an advertiser",
		"Link a user to an advertiser in a realm: ADMIN (default), VIEW or AGENCYADMIN. An unknown user or advertiser is not_found.", 400, 404)
	AdvertisersUsers = get[AdvertiserPath, UsernamesAnswer]("advertisers.users", "/v3/advertisers/{advertiserCode}/users", "List an advertiser's users",
		"List the names of the users that are linked to an advertiser.", 404)
	AdvertisersConnections = get[AdvertiserPath, ConnectionsAnswer]("advertisers.connections", "/v3/advertisers/{advertiserCode}/users/connections", "List an advertiser's users with their realms",
		"List an advertiser's users with their realms. The list does not include the AGENCYADMIN users of parent advertisers.", 404)
	AdvertisersUnlink = remove[LinkedUserPath, Nothing]("advertisers.unlink", "/v3/advertisers/{advertiserCode}/users/{username}", "Remove a user's link to an advertiser",
		"Remove a link. A link that does not exist is not_found.", 404)
	AdvertisersBlocklist = get[AdvertiserPath, BlocklistAnswer]("advertisers.blocklist", "/v3/advertisers/{advertiserCode}/blocklist", "List the domains that an advertiser blocks",
		"List the domains on which an advertiser shows no ads.", 404)
	AdvertisersBlock = post[BlockedPath, Nothing]("advertisers.block", "/v3/advertisers/{advertiserCode}/blocklist/{domain}", "Block a domain for an advertiser",
		"Add a domain to an advertiser's blocklist. The domain must be a top-level private domain such as example.co.uk, not a sub-domain.", 400, 404)
	AdvertisersUnblock = remove[BlockedPath, Nothing]("advertisers.unblock", "/v3/advertisers/{advertiserCode}/blocklist/{domain}", "Remove a domain from an advertiser's blocklist",
		"Remove a domain from an advertiser's blocklist. The domain must be a top-level private domain.", 400, 404)
)

func linkOperations() []Operation {
	return []Operation{
		AdvertisersLink.Operation, AdvertisersUsers.Operation, AdvertisersConnections.Operation, AdvertisersUnlink.Operation,
		AdvertisersBlocklist.Operation, AdvertisersBlock.Operation, AdvertisersUnblock.Operation,
	}
}
