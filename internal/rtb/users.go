package rtb

import "context"

// The realms of a link between a user and an advertiser.
const (
	RealmAdmin       = "ADMIN" // the default of a link
	RealmView        = "VIEW"
	RealmAgencyAdmin = "AGENCYADMIN"
)

// User is a login and the advertisers that it is linked to.
type User struct {
	Username          string       `json:"username"`
	ReportingCurrency string       `json:"reportingCurrency"` // a currency code
	Connections       []Connection `json:"connections"`
}

// Connection is a link seen from the user.
type Connection struct {
	Advertiser string `json:"advertiser"` // its code
	Realm      string `json:"realm"`      // ADMIN, VIEW, AGENCYADMIN
}

// UserSettings are what a user is made or edited with.
type UserSettings struct {
	Password          string `json:"password,omitempty"          secret:"true"`
	ReportingCurrency string `json:"reportingCurrency,omitempty"` // a currency code
}

// UserPath names a user.
type UserPath struct {
	Username string `path:"username"` // a user's name
}

// UserDefinition is a user to be made or edited.
type UserDefinition struct {
	Username string       `path:"username"` // a user's name
	Settings UserSettings `body:"json"`
}

// UserAnswer holds a user.
type UserAnswer struct {
	User User `json:"user"`
}

// The operations on users.
var (
	UsersPut    = put[UserDefinition, Nothing]("users.put", "/v3/users/{username}", "Create a user, or edit one", 400)
	UsersGet    = get[UserPath, UserAnswer]("users.get", "/v3/users/{username}", "Read a user", 404)
	UsersDelete = remove[UserPath, Nothing]("users.delete", "/v3/users/{username}", "Deactivate a user", 404)
)

func userOperations() []Operation {
	return []Operation{UsersPut.Operation, UsersGet.Operation, UsersDelete.Operation}
}

// UsersService creates, reads and deactivates users.
type UsersService service

// Put makes the user, or edits it: its password and the currency of its
// reports. A setting that the platform refuses is a Permanent of class refused,
// somebody else's user one of class forbidden.
//
// PUT /v3/users/{username}
func (s *UsersService) Put(ctx context.Context, username string, settings UserSettings) error {
	_, _, err := UsersPut.Do(ctx, s.client, UserDefinition{username, settings})
	return err
}

// Get reads a user and its links; an unknown one is a Permanent of class
// not_found.
//
// GET /v3/users/{username}
func (s *UsersService) Get(ctx context.Context, username string) (User, error) {
	answer, _, err := UsersGet.Do(ctx, s.client, UserPath{username})
	return answer.User, err
}

// Delete deactivates a user; an unknown one is a Permanent of class
// not_found.
//
// DELETE /v3/users/{username}
func (s *UsersService) Delete(ctx context.Context, username string) error {
	_, _, err := UsersDelete.Do(ctx, s.client, UserPath{username})
	return err
}
