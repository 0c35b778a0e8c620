package dev

import (
	"bytes"
	"net"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/config"
)

// If the default address of jobs over HTTP is in use, they are served at another port, and usher dev says so.
func TestIntakeMoves(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	c, err := config.Load(&cobra.Command{}, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	address := taken.Addr().String()
	d := &Dev{Config: c, Data: t.TempDir(), Intake: address, anyIntake: true}
	l, err := d.listenIntake(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetOut(&out)
	url := "http://" + l.Addr().String()
	d.printAddresses(cmd, Addresses{Intake: url})
	if want := "Jobs over HTTP: " + url + "/v1/jobs/KIND, because " + address + " is in use, with a token of "; !strings.Contains(out.String(), want) {
		t.Errorf("usher dev does not print %q:\n%s", want, &out)
	}
}
