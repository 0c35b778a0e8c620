package rtb

// The realms of a link between a user and an advertiser.
const (
	RealmAdmin       = "ADMIN" // the default of a link
	RealmView        = "VIEW"
	RealmAgencyAdmin = "AGENCYADMIN"
)

// User is a login with its links to advertisers.
type User struct {
	Username          string       `json:"username"`
	ReportingCurrency string       `json:"reportingCurrency" help:"a currency code"`
	Connections       []Connection `json:"connections"`
}

// Connection is a link between a user and an advertiser, as listed for the user.
type Connection struct {
	Advertiser string `json:"advertiser" help:"its code"`
	Realm      string `json:"realm"      help:"ADMIN, VIEW, AGENCYADMIN"`
}

// UserSettings are the settings of a user that can be written.
type UserSettings struct {
	Password          string `json:"password,omitempty"          secret:"true"          help:"needed for a new user"`
	ReportingCurrency string `json:"reportingCurrency,omitempty" help:"a currency code"`
}

// UserPath identifies a user.
type UserPath struct {
	Username string `path:"username" help:"a user's name"`
}

// UserDefinition is a user to be created or edited.
type UserDefinition struct {
	Username string       `path:"username" help:"a user's name"`
	Settings UserSettings `body:"json"`
}

// UserAnswer has a user.
type UserAnswer struct {
	User User `json:"user"`
}

// The operations on users.
var (
	UsersPut = put[UserDefinition, Nothing]("users.put", "/v3/users/{username}", "Create a user, or edit one",
		"Create a user, or edit its password and the currency of its reports. An invalid setting is refused; a user of another account is forbidden.", 400)
	UsersGet = get[UserPath, UserAnswer]("users.get", "/v3/users/{username}", "Read a user",
		"Read a user and its links. An unknown user is not_found.", 404)
	UsersDelete = remove[UserPath, Nothing]("users.delete", "/v3/users/{username}", "Deactivate a user",
		"Deactivate a user. An unknown user is not_found.", 404)
)

func userOperations() []Operation {
	return []Operation{UsersPut.Operation, UsersGet.Operation, UsersDelete.Operation}
}
