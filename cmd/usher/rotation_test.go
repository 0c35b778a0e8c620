package main_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
)

// rotation is a worker whose logins, certificate and tokens are in files.
type rotation struct {
	*deployment
	dir     string
	worker  *process
	console string // address
}

// TestRotation changes every login, the console's certificate and the tokens of a worker while
// its job runs. The worker neither ends nor loses the job.
func TestRotation(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	e := newExport(t, r.exports, 150_000, 13)
	r.slow(200 * time.Millisecond)
	r.publish(usher.SegmentAdd, r.addJob("running", e.path))
	eventually(t, "some batches are uploaded", func() bool { return r.uploads() > 4 })

	r.rotateNATS()
	r.rotatePlatform()
	r.rotateRedis()
	r.rotateCertificate()
	r.rotateToken()
	if ended := r.record("running"); ended.State.Ended() {
		t.Errorf("the job ended during the test, %s: let it take longer", ended.State)
	}
	r.slow(0)
	record := r.ended("running")
	r.wantExact(record, e, "segments/1")
	if record.Crashes != 0 || record.Attempts != 1 {
		t.Errorf("the job took %d attempts and %d crashes", record.Attempts, record.Crashes)
	}
	r.publish(usher.CampaignPause, job{"id": "locked", "campaign": "SANDBOX1-spring"}) // needs Redis
	if record := r.ended("locked"); record.State != usher.Done {
		t.Errorf("the pause ended %s", record.State)
	}
	r.hangUp()
}

func startRotation(t *testing.T) *rotation {
	t.Helper()
	r := &rotation{deployment: newGuardedDeployment(t), dir: t.TempDir(), console: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	r.env = slices.DeleteFunc(r.env, func(pair string) bool {
		return strings.HasPrefix(pair, "USHER_NATS_URL=") || strings.HasPrefix(pair, "USHER_REDIS_URL=")
	})
	r.replace("nats", r.natsURL("worker"))
	r.replace("redis", r.redis.url())
	r.replace("platform", "sandbox")
	r.replace("users", "somebody:viewer:\n")
	r.writeCertificate(1)
	r.worker = r.deployment.worker("worker", "USHER_NATS_URL_FILE="+r.file("nats"), "USHER_REDIS_URL_FILE="+r.file("redis"),
		"USHER_PLATFORM_PASSWORD_FILE="+r.file("platform"), "USHER_UPLOAD_BATCH_IDS=500", "USHER_CONSOLE_LISTEN="+r.console,
		"USHER_CONSOLE_USERS="+r.file("users"), "USHER_CONSOLE_TLS_CERT="+r.file("cert"), "USHER_CONSOLE_TLS_KEY="+r.file("key"))
	r.waitForLog("the worker runs")
	return r
}

func (r *rotation) file(name string) string { return filepath.Join(r.dir, name) }

// replace replaces a file by renaming a new one, as secret managers do.
func (r *rotation) replace(name, content string) {
	r.t.Helper()
	written := r.file(name) + ".new"
	if err := os.WriteFile(written, []byte(content), 0o600); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Rename(written, r.file(name)); err != nil {
		r.t.Fatal(err)
	}
}

// waitForLog waits until one line of the worker's log has all the words.
func (r *rotation) waitForLog(words ...string) {
	r.t.Helper()
	eventually(r.t, "the worker logs "+strings.Join(words, " "), func() bool {
		for line := range strings.Lines(r.log("worker")) {
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
				return true
			}
		}
		return false
	})
}

// rotateNATS changes the worker's password in nats-passwords.conf, reloads the server, and then
// gives the password to the worker, which the server refuses until then.
func (r *rotation) rotateNATS() {
	r.t.Helper()
	path := filepath.Join(filepath.Dir(r.nats.config), "nats-passwords.conf")
	data, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	changed := strings.Replace(string(data), "$USHER_NATS_WORKER_PASSWORD", `"7 rotated"`, 1)
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.nats.signal(syscall.SIGHUP)
	r.waitForLog("disconnected from NATS")
	r.waitForLog("authorization violation")
	r.replace("nats", strings.Replace(r.natsURL("worker"), "worker:worker@", url.UserPassword("worker", "7 rotated").String()+"@", 1))
	r.waitForLog("reconnected to NATS")
	r.waitForLog("read again", "nats.url")
}

// rotatePlatform changes the platform's password, and ends the validity of the token.
func (r *rotation) rotatePlatform() {
	r.t.Helper()
	r.control("POST", "users", job{"username": "sandbox", "password": "rotated-password", "advertiser": "SANDBOX1"}, nil)
	r.replace("platform", "rotated-password\n")
	r.waitForLog("read again", "platform.password")
	before := r.uploads()
	r.control("POST", "faults", job{"op": "segments.upload", "kind": "status", "status": 401, "times": 3}, nil)
	eventually(r.t, "uploads continue after the login", func() bool { return r.uploads() > before+6 })
}

// rotateRedis changes the password of the worker's user and closes the user's connections.
func (r *rotation) rotateRedis() {
	r.t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: fmt.Sprintf("127.0.0.1:%d", r.redis.port), Username: "admin", Password: "admin"})
	defer rdb.Close()
	r.replace("redis", strings.Replace(r.redis.url(), "worker:worker@", "worker:rotated@", 1))
	r.waitForLog("read again", "redis.url")
	if err := rdb.Do(r.t.Context(), "ACL", "SETUSER", "worker", "resetpass", ">rotated").Err(); err != nil {
		r.t.Fatal(err)
	}
	if err := rdb.Do(r.t.Context(), "CLIENT", "KILL", "USER", "worker").Err(); err != nil {
		r.t.Fatal(err)
	}
}

// rotateCertificate replaces the console's certificate. A key that does not fit is reported,
// and the console continues with the certificate before.
func (r *rotation) rotateCertificate() {
	r.t.Helper()
	if serial := r.serial(); serial != 1 {
		r.t.Errorf("the console has the certificate %d before the rotation", serial)
	}
	r.writeCertificate(2)
	r.waitForLog("read again", "console.tls_cert")
	if serial := r.serial(); serial != 2 {
		r.t.Errorf("the console has the certificate %d after the rotation", serial)
	}
	r.replace("key", "no key")
	r.waitForLog("ERROR", "console.tls_key", "the last valid content stays in use")
	if serial := r.serial(); serial != 2 {
		r.t.Errorf("the console has the certificate %d while its key cannot be read", serial)
	}
}

// serial returns the serial number of the console's certificate.
func (r *rotation) serial() int64 {
	r.t.Helper()
	c, err := tls.Dial("tcp", r.console, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

func (r *rotation) writeCertificate(serial int64) {
	r.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		r.t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "usher"}, NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		r.t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		r.t.Fatal(err)
	}
	r.replace("key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	r.replace("cert", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})))
}

// rotateToken replaces the token of a second worker's jobs over HTTP.
func (r *rotation) rotateToken() {
	r.t.Helper()
	file := filepath.Join(r.dir, "tokens")
	old := overHTTP{"http://" + fmt.Sprintf("127.0.0.1:%d", freePort(r.t)), r.token(file, "crm")}
	r.deployment.worker("intake", "USHER_NATS_URL_FILE="+r.file("nats"), "USHER_REDIS_URL_FILE="+r.file("redis"), "USHER_PLATFORM_PASSWORD_FILE="+r.file("platform"),
		"USHER_INTAKE_LISTEN="+strings.TrimPrefix(old.url, "http://"), "USHER_INTAKE_TOKENS="+file)
	isValid := func(o overHTTP) bool {
		status, _ := o.send(r.t, http.MethodGet, "/v1/schemas/segment.add", "")
		return status == http.StatusOK
	}
	eventually(r.t, "the token is valid", func() bool { return isValid(old) })
	if err := os.Remove(file); err != nil {
		r.t.Fatal(err)
	}
	renewed := overHTTP{old.url, r.token(file, "crm")}
	eventually(r.t, "the new token is valid, and the old one is not", func() bool { return isValid(renewed) && !isValid(old) })
}

// hangUp sends SIGHUP, after which the worker still runs. Its log has none of the secrets.
func (r *rotation) hangUp() {
	r.t.Helper()
	r.worker.signal(syscall.SIGHUP)
	r.waitForLog("SIGHUP")
	select {
	case <-r.worker.done:
		r.t.Error("the worker has ended")
	default:
	}
	if log := r.log("worker"); strings.Contains(log, "rotated") {
		r.t.Error("the log has a password")
	}
}
