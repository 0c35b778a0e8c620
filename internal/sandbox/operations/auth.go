package operations

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"

	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

func (s *State) login(c *Call, in rtb.Credentials) (rtb.TokenAnswer, error) {
	for _, field := range [][2]string{{"username", in.Username}, {"password", in.Password}, {"advertiser", in.Advertiser}} {
		if field[1] == "" {
			return rtb.TokenAnswer{}, Invalid(field[0], "is required")
		}
	}
	u, found := s.users.Get(in.Username)
	given := hashPassword(in.Username, in.Password)
	if !found || u.Gone || subtle.ConstantTimeCompare([]byte(given), []byte(u.Password)) != 1 {
		return rtb.TokenAnswer{}, Failure{Status: http.StatusUnauthorized, Code: CodeNoToken, Message: "Username or password is wrong"}
	}
	if s.realm(in.Username, in.Advertiser) == "" {
		return rtb.TokenAnswer{}, Forbidden()
	}
	text := newToken()
	changes := []store.Change{s.tokens.Put(hashToken(text), token{in.Username, in.Advertiser, c.Now.Add(s.config.TokenTTL)})}
	for key, old := range s.tokens.All() {
		if !c.Now.Before(old.Until) {
			changes = append(changes, s.tokens.Drop(key))
		}
	}
	c.User, c.Advertiser = in.Username, in.Advertiser
	return rtb.TokenAnswer{AccessToken: text}, s.store.Commit(changes...)
}

// Authenticate sets the user and the advertiser of a call by the value of its
// Authorization header.
func (s *State) Authenticate(c *Call, header string) error {
	scheme, text, _ := strings.Cut(header, " ")
	t, found := s.tokens.Get(hashToken(strings.TrimSpace(text)))
	if !strings.EqualFold(scheme, "Bearer") || !found || !c.Now.Before(t.Until) {
		return Unauthenticated()
	}
	if s.users.Row(t.User).Gone {
		return Unauthenticated()
	}
	c.User, c.Advertiser = t.User, t.Advertiser
	return s.authorize(c, t.Advertiser)
}

// authorize checks that the caller may make this call on a record of an advertiser.
func (s *State) authorize(c *Call, advertiser string) error {
	realm := s.realm(c.User, advertiser)
	if realm == "" || c.Writes && realm == rtb.RealmView {
		return Forbidden()
	}
	return nil
}

// realm returns the realm of a user at an advertiser, or "". An AGENCYADMIN of an
// advertiser has this realm at all advertisers below it.
func (s *State) realm(username, advertiser string) string {
	links := s.users.Row(username).Links
	if realm := links[advertiser]; realm != "" {
		return realm
	}
	for parent := s.advertisers.Row(advertiser).Parent; parent != ""; parent = s.advertisers.Row(parent).Parent {
		if links[parent] == rtb.RealmAgencyAdmin {
			return rtb.RealmAgencyAdmin
		}
	}
	return ""
}

// reachable returns the codes of the advertisers at which a user has a realm, in
// order.
func (s *State) reachable(username string) []string {
	codes := []string{}
	for _, code := range s.advertisers.Keys() {
		if s.realm(username, code) != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

// newToken returns an opaque token of random length, so that no client can depend on its
// form.
func newToken() string {
	raw := make([]byte, 96)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw[:32+int(raw[95])%64])
}

// hashToken returns the form in which a token is stored, so that the data directory has no
// usable token.
func hashToken(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func hashPassword(username, password string) string { return hashToken(username + "\n" + password) }
