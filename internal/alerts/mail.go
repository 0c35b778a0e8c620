package alerts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"os"
	"strings"
	"time"

	"usher/internal/readable"
)

// Mail says how mail is sent.
type Mail struct {
	Server   string                // smtp://host:587, or smtps://host:465 for TLS from the first byte
	User     string                // "": no login
	Password func() string         // the current password
	From     string                // an address, perhaps with a name
	To       []string              // addresses
	Plain    string                // from where mail may be sent without TLS: loopback or anywhere
	Roots    func() *x509.CertPool // the current certificate authorities; nil: the system's
	Zone     *time.Location        // of the times in messages
}

// mailer sends messages by SMTP.
type mailer struct {
	Mail
	host, address string
	from          *mail.Address
	to            []*mail.Address
	now           func() time.Time
}

// NewMail returns a channel that sends mail. now is the clock for the date of mails.
func NewMail(o Mail, now func() time.Time) (Channel, error) {
	u, err := url.Parse(o.Server)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("alerts.smtp must be smtp://host:587 or smtps://host:465")
	}
	c := &mailer{Mail: o, host: u.Hostname(), now: now}
	port := u.Port()
	if port == "" {
		port = map[string]string{"smtp": "587", "smtps": "465"}[u.Scheme]
	}
	c.address = net.JoinHostPort(c.host, port)
	if c.from, err = mail.ParseAddress(o.From); err != nil {
		return nil, fmt.Errorf("alerts.email_from must be an address such as usher@example.com: %w", err)
	}
	for _, to := range o.To {
		address, err := mail.ParseAddress(to)
		if err != nil {
			return nil, fmt.Errorf("alerts.email_to must be addresses such as ops@example.com: %w", err)
		}
		c.to = append(c.to, address)
	}
	if len(c.to) == 0 {
		return nil, errors.New("alerts.smtp is set, but alerts.email_to has no address")
	}
	return c, nil
}

func (c *mailer) name() string { return "alerts.smtp" }

// mailTime is how long sending a mail may take.
const mailTime = 30 * time.Second

func (c *mailer) send(ctx context.Context, m *Message) error {
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	if err := c.transmit(ctx, c.text(m)); err != nil {
		return fmt.Errorf("send mail by alerts.smtp: %w", err)
	}
	return nil
}

// transmit sends a mail in one connection.
func (c *mailer) transmit(ctx context.Context, text []byte) error {
	client, err := c.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	if err := c.logIn(client); err != nil {
		return err
	}
	if err := client.Mail(c.from.Address); err != nil {
		return fmt.Errorf("the sender %s is refused: %w", c.from.Address, err)
	}
	accepted := 0
	var refusal error
	for _, to := range c.to {
		if err := client.Rcpt(to.Address); err != nil {
			refusal = fmt.Errorf("the recipient %s is refused: %w", to.Address, err)
			continue
		}
		accepted++
	}
	if accepted == 0 {
		return refusal
	}
	body, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := body.Write(text); err != nil {
		return err
	}
	if err := body.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the server has taken the mail
	return nil
}

// connect connects to the server, and begins TLS.
func (c *mailer) connect(ctx context.Context) (*smtp.Client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.address)
	if err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	client, err := c.begin(conn)
	if err != nil {
		_ = conn.Close()
	}
	return client, err
}

// begin begins the session of a new connection.
func (c *mailer) begin(conn net.Conn) (*smtp.Client, error) {
	config := c.tlsConfig()
	remote := conn.RemoteAddr()
	secured := strings.HasPrefix(c.Server, "smtps:")
	if secured {
		conn = tls.Client(conn, config)
	}
	client, err := smtp.NewClient(conn, c.host)
	if err != nil {
		return nil, err
	}
	if name, err := os.Hostname(); err == nil && !strings.ContainsAny(name, " \r\n") {
		if err := client.Hello(name); err != nil {
			return nil, err
		}
	}
	if secured {
		return client, nil
	}
	return client, c.secure(client, config, remote)
}

// secure begins TLS, if the server has it. Without TLS, mail is sent only where that is allowed.
func (c *mailer) secure(client *smtp.Client, config *tls.Config, remote net.Addr) error {
	if offered, _ := client.Extension("STARTTLS"); offered {
		return client.StartTLS(config)
	}
	if c.mayBePlain(remote) {
		return nil
	}
	return errors.New("the server does not offer STARTTLS: use smtps://, or set alerts.smtp_plain: anywhere if the network is safe")
}

// mayBePlain reports whether mail may be sent to a server without TLS.
func (c *mailer) mayBePlain(server net.Addr) bool {
	tcp, ok := server.(*net.TCPAddr)
	return c.Plain == "anywhere" || ok && tcp.IP.IsLoopback()
}

func (c *mailer) tlsConfig() *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: c.host}
	if c.Roots != nil {
		config.RootCAs = c.Roots()
	}
	return config
}

// logIn logs in, if there is a user. The password is sent only with TLS, or to this machine.
func (c *mailer) logIn(client *smtp.Client) error {
	if c.User == "" {
		return nil
	}
	_, methods := client.Extension("AUTH")
	method := smtp.PlainAuth("", c.User, c.Password(), c.host)
	if words := strings.Fields(methods); !contains(words, "PLAIN") && contains(words, "LOGIN") {
		method = &loginAuth{user: c.User, password: c.Password()}
	}
	if err := client.Auth(method); err != nil {
		return fmt.Errorf("log in as %s: %w", c.User, err)
	}
	return nil
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// loginAuth is the method LOGIN, which some servers offer alone.
type loginAuth struct{ user, password string }

func (a *loginAuth) Start(server *smtp.ServerInfo) (method string, first []byte, err error) {
	if !server.TLS {
		return "", nil, errors.New("the connection is not encrypted")
	}
	return "LOGIN", nil, nil
}

func (a *loginAuth) Next(question []byte, more bool) (answer []byte, err error) {
	switch {
	case !more:
		return nil, nil
	case bytes.HasPrefix(bytes.ToLower(question), []byte("user")):
		return []byte(a.user), nil
	}
	return []byte(a.password), nil
}

// text returns the mail. Later mails about an incident answer the one that opened it.
func (c *mailer) text(m *Message) []byte {
	var out bytes.Buffer
	header := func(name, value string) { fmt.Fprintf(&out, "%s: %s\r\n", name, value) }
	to := make([]string, len(c.to))
	for i, address := range c.to {
		to[i] = address.String()
	}
	header("From", c.from.String())
	header("To", strings.Join(to, ",\r\n "))
	header("Subject", mime.QEncoding.Encode("utf-8", readable.Line("usher: "+m.Headline(), 200)))
	header("Date", c.now().Format(time.RFC1123Z))
	if m.Incident != "" {
		opened := *m
		opened.Event = Opened
		header("Message-ID", c.id(m))
		if m.Event == Solved || m.Event == Grown {
			header("In-Reply-To", c.id(&opened))
			header("References", c.id(&opened))
		}
	}
	header("Auto-Submitted", "auto-generated")
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	out.WriteString("\r\n")
	body := quotedprintable.NewWriter(&out)
	_, _ = body.Write([]byte(readable.Unbidi(strings.Join(m.Lines(c.Zone), "\r\n")) + "\r\n"))
	_ = body.Close() // writing to memory does not fail
	return out.Bytes()
}

// id returns the Message-ID of a message: the same if it is sent again.
func (c *mailer) id(m *Message) string {
	_, domain, _ := strings.Cut(c.from.Address, "@")
	sum := sha256.Sum256([]byte(string(m.Event) + " " + m.key()))
	return fmt.Sprintf("<%x@%s>", sum[:12], domain)
}
