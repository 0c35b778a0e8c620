package rtb

import "context"

// Credentials are the input of a login.
type Credentials struct {
	Username   string `query:"username"`
	Password   string `query:"password"   secret:"true"`
	Advertiser string `query:"advertiser"               help:"an advertiser code; the token is bound to it"`
}

// TokenAnswer has an access token. It is opaque, of any length, and valid for about
// an hour; it may end earlier.
type TokenAnswer struct {
	AccessToken string `json:"accessToken"`
}

// AuthToken is the only operation that needs no token.
var AuthToken = func() Op[Credentials, TokenAnswer] {
	op := get[Credentials, TokenAnswer]("auth.token", "/v3/oauth/accessToken", "Get an access token for an advertiser",
		"Get an access token for the client's advertiser. A wrong password is unauthorized; a user who is not linked to the advertiser is forbidden.", 400)
	op.Open = true
	return op
}()

func authOperations() []Operation { return []Operation{AuthToken.Operation} }

// AuthService gets access tokens.
type AuthService service

// Token gets an access token for the client's advertiser. A wrong password is
// unauthorized; a user who is not linked to the advertiser is forbidden.
func (s *AuthService) Token(ctx context.Context, username, password string) (string, error) {
	answer, _, err := AuthToken.Do(ctx, s.client, Credentials{Username: username, Password: password, Advertiser: s.client.advertiser})
	return answer.AccessToken, err
}
