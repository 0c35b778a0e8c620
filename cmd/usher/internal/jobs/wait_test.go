package jobs

import (
	"errors"
	"strings"
	"testing"

	"usher"
	"usher/cmd/usher/internal/command"
)

func TestExitCodeOfEndedJob(t *testing.T) {
	t.Parallel()
	w := Waiter{}
	dead := usher.Record{ID: "j", State: usher.Failed, Error: &usher.JobError{Class: usher.NotFound, Message: "no segment", Hint: "look"}}
	err := w.verdict(dead)
	var exit *command.ExitError
	if !errors.As(err, &exit) || exit.Code != command.DeadLetter || !strings.Contains(err.Error(), "usher dead replay --id j") {
		t.Errorf("a dead job: %#v", err)
	}
	dead.Error.Hint = "set source.column to one of them"
	if err := w.verdict(dead); !strings.Contains(err.Error(), "usher dead edit --id j --set source.column=COLUMN") || !strings.Contains(err.Error(), "usher dead replay --id j") {
		t.Errorf("a job whose column must be named: %v", err)
	}
	if err := w.verdict(usher.Record{State: usher.Done}); err != nil {
		t.Errorf("a job that is done: %v", err)
	}
	if err := w.verdict(usher.Record{State: usher.Cancelled}); err == nil || errors.As(err, &exit) {
		t.Error("a cancelled job exits as a dead one")
	}
}
