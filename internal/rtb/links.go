package rtb

import (
	"context"
	"encoding/json"
)

// UserConnection is a link between a user and an advertiser, as listed for the
// advertiser.
type UserConnection struct {
	Username string `json:"username"`
	Realm    string `json:"realm"` // ADMIN, VIEW, AGENCYADMIN
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
	AdvertiserCode string `path:"advertiserCode"` // an advertiser's code, such as SANDBOX1
	Username       string `path:"username"`       // a user's name
	Realm          string `path:"realm,optional"` // ADMIN (default), VIEW, AGENCYADMIN
}

// LinkedUserPath identifies a link.
type LinkedUserPath struct {
	AdvertiserCode string `path:"advertiserCode"` // an advertiser's code, such as SANDBOX1
	Username       string `path:"username"`       // a user's name
}

// BlockedPath identifies a domain on an advertiser's blocklist.
type BlockedPath struct {
	AdvertiserCode string `path:"advertiserCode"` // an advertiser's code, such as SANDBOX1
	Domain         string `path:"domain"`         // a top-level private domain such as example.co.uk, not a sub-domain
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
	AdvertisersLink        = put[LinkPath, Nothing]("advertisers.link", "/v3/advertisers/{advertiserCode}/users/{username}/{realm}", "Link a user to an advertiser", 400, 404)
	AdvertisersUsers       = get[AdvertiserPath, UsernamesAnswer]("advertisers.users", "/v3/advertisers/{advertiserCode}/users", "List an advertiser's users", 404)
	AdvertisersConnections = get[AdvertiserPath, ConnectionsAnswer]("advertisers.connections", "/v3/advertisers/{advertiserCode}/users/connections", "List an advertiser's users with their realms", 404)
	AdvertisersUnlink      = remove[LinkedUserPath, Nothing]("advertisers.unlink", "/v3/advertisers/{advertiserCode}/users/{username}", "Remove a user's link to an advertiser", 404)
	AdvertisersBlocklist   = get[AdvertiserPath, BlocklistAnswer]("advertisers.blocklist", "/v3/advertisers/{advertiserCode}/blocklist", "List the domains that an advertiser blocks", 404)
	AdvertisersBlock       = post[BlockedPath, Nothing]("advertisers.block", "/v3/advertisers/{advertiserCode}/blocklist/{domain}", "Block a domain for an advertiser", 400, 404)
	AdvertisersUnblock     = remove[BlockedPath, Nothing]("advertisers.unblock", "/v3/advertisers/{advertiserCode}/blocklist/{domain}", "Remove a domain from an advertiser's blocklist", 400, 404)
)

func linkOperations() []Operation {
	return []Operation{
		AdvertisersLink.Operation, AdvertisersUsers.Operation, AdvertisersConnections.Operation, AdvertisersUnlink.Operation,
		AdvertisersBlocklist.Operation, AdvertisersBlock.Operation, AdvertisersUnblock.Operation,
	}
}

// Link links a user to an advertiser in a realm: ADMIN (default), VIEW or
// AGENCYADMIN. An unknown user or advertiser is not_found.
//
// PUT /v3/advertisers/{advertiserCode}/users/{username}/{realm}
func (s *AdvertisersService) Link(ctx context.Context, advertiser, username, realm string) error {
	_, _, err := AdvertisersLink.Do(ctx, s.client, LinkPath{advertiser, username, realm})
	return err
}

// Users lists the names of the users that are linked to an advertiser.
//
// GET /v3/advertisers/{advertiserCode}/users
func (s *AdvertisersService) Users(ctx context.Context, advertiser string) ([]string, error) {
	answer, _, err := AdvertisersUsers.Do(ctx, s.client, AdvertiserPath{advertiser})
	return answer.Users, err
}

// Connections lists an advertiser's users with their realms. The list does not
// include the AGENCYADMIN users of parent advertisers.
//
// GET /v3/advertisers/{advertiserCode}/users/connections
func (s *AdvertisersService) Connections(ctx context.Context, advertiser string) ([]UserConnection, error) {
	answer, _, err := AdvertisersConnections.Do(ctx, s.client, AdvertiserPath{advertiser})
	return answer.Users, err
}

// Unlink removes a link. A link that does not exist is not_found.
//
// DELETE /v3/advertisers/{advertiserCode}/users/{username}
func (s *AdvertisersService) Unlink(ctx context.Context, advertiser, username string) error {
	_, _, err := AdvertisersUnlink.Do(ctx, s.client, LinkedUserPath{advertiser, username})
	return err
}

// Blocklist lists the domains on which an advertiser shows no ads.
//
// GET /v3/advertisers/{advertiserCode}/blocklist
func (s *AdvertisersService) Blocklist(ctx context.Context, advertiser string) ([]string, error) {
	answer, _, err := AdvertisersBlocklist.Do(ctx, s.client, AdvertiserPath{advertiser})
	return answer.Blocklist, err
}

// Block adds a domain to an advertiser's blocklist. The domain must be a top-level
// private domain such as example.co.uk, not a sub-domain.
//
// POST /v3/advertisers/{advertiserCode}/blocklist/{domain}
func (s *AdvertisersService) Block(ctx context.Context, advertiser, domain string) error {
	_, _, err := AdvertisersBlock.Do(ctx, s.client, BlockedPath{advertiser, domain})
	return err
}

// Unblock removes a domain from an advertiser's blocklist. The domain must be a
// top-level private domain.
//
// DELETE /v3/advertisers/{advertiserCode}/blocklist/{domain}
func (s *AdvertisersService) Unblock(ctx context.Context, advertiser, domain string) error {
	_, _, err := AdvertisersUnblock.Do(ctx, s.client, BlockedPath{advertiser, domain})
	return err
}
