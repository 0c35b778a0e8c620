package rtb

import "context"

// Credentials are what a token is asked for with.
type Credentials struct {
	Username   string `query:"username"`
	Password   string `query:"password"   secret:"true"`
	Advertiser string `query:"advertiser"` // an advertiser code; the token is bound to it
}

// TokenAnswer holds a token: opaque, of any length, alive for about an hour,
// which may end early.
type TokenAnswer struct {
	AccessToken string `json:"accessToken"`
}

// AuthToken is the one operation that needs no token.
var AuthToken = func() Op[Credentials, TokenAnswer] {
	op := get[Credentials, TokenAnswer]("auth.token", "/v3/oauth/accessToken", "Get an access token for an advertiser", 400)
	op.Open = true
	return op
}()

func authOperations() []Operation { return []Operation{AuthToken.Operation} }

// AuthService gets access tokens.
type AuthService service

// Token gets a token for the client's advertiser. A wrong password is
// usher.ErrUnauthorized, a login that is not linked to the advertiser is a
// Permanent of class forbidden.
//
// GET /v3/oauth/accessToken
func (s *AuthService) Token(ctx context.Context, username, password string) (string, error) {
	answer, _, err := AuthToken.Do(ctx, s.client, Credentials{Username: username, Password: password, Advertiser: s.client.advertiser})
	return answer.AccessToken, err
}
