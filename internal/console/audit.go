package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/queues/audit"
)

// auditFilter reads the filter in the query of a request.
func auditFilter(req *http.Request) (audit.Filter, error) {
	q := req.URL.Query()
	f := audit.Filter{
		Campaign: q.Get("campaign"), Creative: q.Get("creative"), Actor: q.Get("actor"),
		Rule: q.Get("rule"), Job: q.Get("job"), Match: q.Get("match"),
	}
	var err error
	if f.Since, err = timeOf(req, "since"); err != nil {
		return f, err
	}
	f.Until, err = timeOf(req, "until")
	return f, err
}

// timeOf returns a time in the query of a request, in RFC 3339, or the zero time if the
// query does not have it.
func timeOf(req *http.Request, name string) (time.Time, error) {
	text := req.URL.Query().Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, refuse(http.StatusBadRequest, "%s must be a time such as 2026-03-01T00:00:00Z", name)
	}
	return t, nil
}

// auditList has the newest entries that match.
type auditList struct {
	Entries []usher.Audit `json:"entries"`
	More    bool          `json:"more"` // further entries match
}

func (c *Console) audit(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := auditFilter(req)
	if err != nil {
		return nil, err
	}
	limit, err := limitOf(req)
	if err != nil {
		return nil, err
	}
	out := auditList{Entries: []usher.Audit{}}
	err = c.options.Audit.Newest(ctx, f, func(a usher.Audit) bool {
		if len(out.Entries) >= limit {
			out.More = true
			return false
		}
		out.Entries = append(out.Entries, a)
		return true
	})
	return out, err
}

// exportAudit sends all entries that match as a file. An export may be long, so it is not
// limited to answerTime.
func (c *Console) exportAudit(w http.ResponseWriter, req *http.Request, _ User) error {
	f, err := auditFilter(req)
	if err != nil {
		return err
	}
	format := req.URL.Query().Get("format")
	mediaTypes := map[string]string{"ndjson": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
	if mediaTypes[format] == "" {
		return refuse(http.StatusBadRequest, "format must be ndjson or csv")
	}
	w.Header().Set("Content-Type", mediaTypes[format])
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="usher-audit-%s.%s"`, c.options.Now().UTC().Format(time.DateOnly), format))
	write := c.writeAuditLines
	if format == "csv" {
		write = c.writeAuditCSV
	}
	if err := write(req.Context(), f, w); err != nil {
		// The status has been sent already. An aborted connection tells the client that
		// the file is incomplete.
		c.options.Logger.Warn("export of the audit failed", "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// writeAuditLines writes the entries that match as JSON, one per line.
func (c *Console) writeAuditLines(ctx context.Context, f audit.Filter, w io.Writer) error {
	lines := json.NewEncoder(readable.Escaped(w))
	return c.options.Audit.Each(ctx, f, func(entry usher.Audit) error { return lines.Encode(entry) })
}

// writeAuditCSV writes the entries that match as CSV with a header.
func (c *Console) writeAuditCSV(ctx context.Context, f audit.Filter, w io.Writer) error {
	rows := readable.NewCSV(w)
	err := rows.Write("at", "actor", "reason", "campaign", "creative", "before", "wanted", "after", "rule", "job", "run", "metrics")
	if err != nil {
		return fmt.Errorf("write audit: %w", err)
	}
	err = c.options.Audit.Each(ctx, f, func(e usher.Audit) error {
		metrics, err := json.Marshal(e.Metrics)
		if err != nil {
			return fmt.Errorf("encode metrics: %w", err)
		}
		return rows.Write(e.At.Format(time.RFC3339Nano), e.Actor, e.Reason, e.Campaign, e.Creative, e.Before, e.Wanted, e.After, e.Rule, e.Job, strconv.Itoa(e.Run), string(metrics))
	})
	if err != nil {
		return err
	}
	return rows.Flush()
}
