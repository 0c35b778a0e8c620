package rtb

import "context"

// The realms of a link between a user and an advertiser.
const (
	RealmAdmin       = "ADMIN" // the default of a link
	RealmView        = "VIEW"
	RealmAgencyAdmin = "AGENCYADMIN"
)

// User is a login with its links to advertisers.
type User struct {
	Username          string       `json:"username"`
	ReportingCurrency string       `json:"reportingCurrency"` // a currency code
	Connections       []Connection `json:"connections"`
}

// Connection is a link between a user and an advertiser, as listed for the user.
type Connection struct {
	Advertiser string `json:"advertiser"` // its code
	Realm      string `json:"realm"`      // ADMIN, VIEW, AGENCYADMIN
}

// UserSettings are the settings of a user that can be written.
type UserSettings struct {
	Password          string `json:"password,omitempty"          secret:"true"` // needed for a new user
	ReportingCurrency string `json:"reportingCurrency,omitempty"`               // a currency code
}

// UserPath identifies a user.
type UserPath struct {
	Username string `path:"username"` // a user's name
}

// UserDefinition is a user to be created or edited.
type UserDefinition struct {
	Username string       `path:"username"` // a user's name
	Settings UserSettings `body:"json"`
}

// UserAnswer has a user.
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

// Put creates a user, or edits its password and the currency of its reports. An
// invalid setting is refused; a user of another account is forbidden.
//
// PUT /v3/users/{username}
func (s *UsersService) Put(ctx context.Context, username string, settings UserSettings) error {
	_, _, err := UsersPut.Do(ctx, s.client, UserDefinition{username, settings})
	return err
}

// Get reads a user and its links. An unknown user is not_found.
//
// GET /v3/users/{username}
func (s *UsersService) Get(ctx context.Context, username string) (User, error) {
	answer, _, err := UsersGet.Do(ctx, s.client, UserPath{username})
	return answer.User, err
}

// Delete deactivates a user. An unknown user is not_found.
//
// DELETE /v3/users/{username}
func (s *UsersService) Delete(ctx context.Context, username string) error {
	_, _, err := UsersDelete.Do(ctx, s.client, UserPath{username})
	return err
}
