package alerts

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// mailServer is a server of SMTP (RFC 5321) with STARTTLS and AUTH, which keeps the mails.
type mailServer struct {
	t       *testing.T
	address string
	tls     *tls.Config // nil: STARTTLS is not offered
	auth    string      // the methods that are offered

	mu         sync.Mutex
	mails      []*mail.Message
	bodies     []string
	recipients []string
	login      string // what the client has logged in with
	encrypted  bool
}

// serveMail serves mail until the test ends. implicit begins TLS with the first byte.
func serveMail(t *testing.T, config *tls.Config, auth string, implicit bool) *mailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &mailServer{t: t, address: listener.Addr().String(), tls: config, auth: auth}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if implicit {
				conn = tls.Server(conn, config)
			}
			s.serve(conn, implicit)
		}
	})
	t.Cleanup(func() { _ = listener.Close(); serving.Wait() })
	return s
}

// serve serves a connection.
func (s *mailServer) serve(conn net.Conn, secure bool) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	reply := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }
	read := func() string {
		line, err := in.ReadString('\n')
		if err != nil {
			return "QUIT"
		}
		return strings.TrimRight(line, "\r\n")
	}
	reply("220 ready")
	for {
		line := read()
		word, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(word) {
		case "EHLO":
			reply("250-mail.example.com")
			if s.tls != nil && !secure {
				reply("250-STARTTLS")
			}
			reply("250-AUTH " + s.auth)
			reply("250 8BITMIME")
		case "STARTTLS":
			reply("220 go on")
			conn = tls.Server(conn, s.tls)
			in, secure = bufio.NewReader(conn), true
		case "AUTH":
			s.logIn(rest, reply, read)
		case "RCPT":
			if strings.Contains(rest, "nobody@") {
				reply("550 no such user")
				continue
			}
			s.mu.Lock()
			s.recipients = append(s.recipients, rest)
			s.mu.Unlock()
			reply("250 ok")
		case "DATA":
			reply("354 go on")
			s.keep(read, secure)
			reply("250 ok")
		case "QUIT":
			reply("221 bye")
			return
		default:
			reply("250 ok")
		}
	}
}

func (s *mailServer) logIn(rest string, reply func(string), read func() string) {
	method, first, _ := strings.Cut(rest, " ")
	answers := []string{first}
	if method == "LOGIN" {
		answers = nil
		for _, question := range []string{"Username:", "Password:"} {
			reply("334 " + base64.StdEncoding.EncodeToString([]byte(question)))
			answers = append(answers, read())
		}
	}
	s.mu.Lock()
	s.login = method
	for _, a := range answers {
		text, _ := base64.StdEncoding.DecodeString(a)
		s.login += " " + strings.ReplaceAll(string(text), "\x00", "/")
	}
	s.mu.Unlock()
	reply("235 welcome")
}

// keep reads a mail until the line with a dot.
func (s *mailServer) keep(read func() string, secure bool) {
	var text strings.Builder
	for line := read(); line != "."; line = read() {
		text.WriteString(strings.TrimPrefix(line, ".") + "\r\n")
	}
	m, err := mail.ReadMessage(strings.NewReader(text.String()))
	if err != nil {
		s.t.Error(err)
		return
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails, s.bodies, s.encrypted = append(s.mails, m), append(s.bodies, string(body)), secure
}

// serverTLS returns the settings of a server with a new certificate, and those of a client that
// trusts it.
func serverTLS(t *testing.T) (server *tls.Config, client *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, roots
}

func secret() string { return "secret" }

func newMailer(t *testing.T, o Mail) Channel {
	t.Helper()
	o.From, o.Zone = "usher <usher@example.com>", time.UTC
	if o.To == nil {
		o.To = []string{"ops@example.com", "Käthe <crm@example.com>"}
	}
	c, err := NewMail(o, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Mail says what the message says. The mail about the end answers the one that opened the
// incident, so that mail programs show them together.
func TestMail(t *testing.T) {
	t.Parallel()
	server, client := serverTLS(t)
	s := serveMail(t, server, "PLAIN LOGIN", false)
	c := newMailer(t, Mail{Server: "smtp://" + s.address, User: "usher", Password: secret, Roots: func() *x509.CertPool { return client }})
	opened := message()
	opened.Title = "Jobs fail on segment 7: größer als erlaubt"
	solved := opened.solved(opened.Since.Add(14*time.Minute), "No dead letter of this cause is left.")
	for _, m := range []*Message{&opened, &solved} {
		if err := c.send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.encrypted || s.login != "PLAIN /usher/secret" || !slices.Equal(s.recipients, []string{"TO:<ops@example.com>", "TO:<crm@example.com>", "TO:<ops@example.com>", "TO:<crm@example.com>"}) {
		t.Errorf("encrypted: %v, login %q, recipients %v", s.encrypted, s.login, s.recipients)
	}
	subject := func(i int) string {
		text, err := (&mime.WordDecoder{}).DecodeHeader(s.mails[i].Header.Get("Subject"))
		if err != nil {
			t.Error(err)
		}
		return text
	}
	if got := subject(0); got != "usher: Jobs fail on segment 7: größer als erlaubt" {
		t.Errorf("the subject is %q", got)
	}
	if got := subject(1); got != "usher: Solved after 14 min: Jobs fail on segment 7: größer als erlaubt" {
		t.Errorf("the subject is %q", got)
	}
	if id := s.mails[0].Header.Get("Message-ID"); id == "" || s.mails[1].Header.Get("In-Reply-To") != id || s.mails[1].Header.Get("Message-ID") == id {
		t.Errorf("headers %v and %v", s.mails[0].Header, s.mails[1].Header)
	}
	want := "Since 2026-03-02 07:05 UTC, 1,200 dead letters\r\nnot_found, segment.add, such as job crm-1\r\nWhat to do: Create the segment. Then replay the jobs.\r\nhttps://usher.example.com/#/letters?group=3f9a21c0\r\n"
	if s.bodies[0] != want {
		t.Errorf("the body is\n%q\nwant\n%q", s.bodies[0], want)
	}
}

// Servers differ in how TLS begins, and in how one logs in.
func TestMailServers(t *testing.T) {
	t.Parallel()
	server, client := serverTLS(t)
	m := message()
	implicit := serveMail(t, server, "LOGIN", true)
	if err := newMailer(t, Mail{Server: "smtps://" + implicit.address, User: "usher", Password: secret, Roots: func() *x509.CertPool { return client }}).send(t.Context(), &m); err != nil {
		t.Error(err)
	}
	implicit.mu.Lock()
	if implicit.login != "LOGIN usher secret" || len(implicit.mails) != 1 {
		t.Errorf("the login is %q, mails %d", implicit.login, len(implicit.mails))
	}
	implicit.mu.Unlock()

	plain := serveMail(t, nil, "PLAIN", false)
	if err := newMailer(t, Mail{Server: "smtp://" + plain.address, To: []string{"nobody@example.com", "ops@example.com"}}).send(t.Context(), &m); err != nil {
		t.Error("a server on this machine without TLS, and a recipient that is unknown:", err)
	}
	if err := newMailer(t, Mail{Server: "smtp://" + plain.address, To: []string{"nobody@example.com"}}).send(t.Context(), &m); err == nil || !strings.Contains(err.Error(), "the recipient nobody@example.com is refused: 550 \"no such user\"") {
		t.Errorf("no recipient: error %v", err)
	}

	unknown := serveMail(t, server, "PLAIN", false)
	if err := newMailer(t, Mail{Server: "smtp://" + unknown.address, User: "usher", Password: secret}).send(t.Context(), &m); err == nil || unknown.login != "" {
		t.Errorf("a server with an unknown certificate: error %v, login %q", err, unknown.login)
	}
}

// Without TLS, mail is sent only on this machine, or where that is allowed.
func TestMailWithoutTLS(t *testing.T) {
	t.Parallel()
	remote := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 5), Port: 25}
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 25}
	for _, test := range []struct {
		plain string
		to    net.Addr
		sends bool
	}{{"loopback", local, true}, {"loopback", remote, false}, {"anywhere", remote, true}} {
		c := &mailer{Mail: Mail{Plain: test.plain}}
		if got := c.mayBePlain(test.to); got != test.sends {
			t.Errorf("%s to %s: %v", test.plain, test.to, got)
		}
	}
}

func TestMailSettings(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]Mail{
		"alerts.smtp must be":        {Server: "https://mail.example.com", From: "usher@example.com", To: []string{"ops@example.com"}},
		"alerts.email_from must be":  {Server: "smtp://mail.example.com", To: []string{"ops@example.com"}},
		"alerts.email_to must be":    {Server: "smtp://mail.example.com", From: "usher@example.com", To: []string{"ops"}},
		"alerts.email_to has no add": {Server: "smtp://mail.example.com", From: "usher@example.com"},
	} {
		if _, err := NewMail(o, time.Now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", o, err, want)
		}
	}
}
