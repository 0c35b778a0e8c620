package console

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"usher"
	"usher/internal/rules"
)

// slowReview is a Review whose previews wait for reports that do not come.
type slowReview struct{ Review }

func (slowReview) Preview(ctx context.Context, _ *rules.Set) ([]usher.Decision, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

type oneFile struct{ RuleFiles }

func (oneFile) All() []*rules.Set { return []*rules.Set{{Name: "caps"}} }

// A preview has two minutes, and says so when they are over.
func TestPreviewTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &Console{options: Options{Sources: Sources{Rules: oneFile{}, Review: slowReview{}}}}
		began := time.Now()
		for _, r := range routes(c) {
			if r.path != "/api/rules/preview" {
				continue
			}
			err := r.handle(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, r.path+"?file=caps", nil), User{})
			var refusal *Refusal
			if !errors.As(err, &refusal) || refusal.Status != http.StatusGatewayTimeout || !strings.HasPrefix(refusal.Message, "the preview ended after 2 minutes, because the platform's reports were not read by then") {
				t.Errorf("it fails with %v", err)
			}
		}
		if took := time.Since(began); took != 2*time.Minute {
			t.Errorf("it took %s", took)
		}
	})
}
