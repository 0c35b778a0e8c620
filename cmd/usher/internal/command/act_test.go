package command_test

import (
	"os/user"
	"testing"

	"usher/cmd/usher/internal/command"
)

// Several people may act as one user, such as the usher of usher-ops. Sudo says who each of them is.
func TestSystemUser(t *testing.T) {
	current, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for sudo, want := range map[string]string{"ada": "ada", "": current.Username} {
		t.Setenv("SUDO_USER", sudo)
		if got := command.ActorName(""); got != want {
			t.Errorf("with SUDO_USER=%q, the actor is %q, want %q", sudo, got, want)
		}
	}
	if got := command.ActorName("crm"); got != "crm" {
		t.Errorf("with a flag, the actor is %q", got)
	}
}
