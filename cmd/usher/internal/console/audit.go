package console

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"usher"
	"usher/internal/console"
	"usher/queues"
)

// consoleAudit is the audit as the console sees it.
type consoleAudit struct{ queue *queues.Queue }

func auditsOf(f console.AuditFilter) queues.AuditFilter {
	return queues.AuditFilter{
		Campaign: f.Campaign, Creative: f.Creative, Actor: f.Actor, Rule: f.Rule, Job: f.Job, Match: f.Match, Since: f.Since, Until: f.Until,
	}
}

func (a consoleAudit) Entries(ctx context.Context, f console.AuditFilter, visit func(usher.Audit) bool) error {
	return a.queue.Audit().Newest(ctx, auditsOf(f), visit)
}

func (a consoleAudit) Export(ctx context.Context, f console.AuditFilter, format string, w io.Writer) error {
	if format == "csv" {
		return a.exportCSV(ctx, f, w)
	}
	lines := json.NewEncoder(w)
	return a.queue.Audit().Each(ctx, auditsOf(f), func(entry usher.Audit) error { return lines.Encode(entry) })
}

func (a consoleAudit) exportCSV(ctx context.Context, f console.AuditFilter, w io.Writer) error {
	rows := csv.NewWriter(w)
	err := rows.Write([]string{"at", "actor", "reason", "campaign", "creative", "before", "wanted", "after", "rule", "job", "run", "metrics"})
	if err != nil {
		return fmt.Errorf("write audit: %w", err)
	}
	err = a.queue.Audit().Each(ctx, auditsOf(f), func(e usher.Audit) error {
		metrics, err := json.Marshal(e.Metrics)
		if err != nil {
			return fmt.Errorf("encode metrics: %w", err)
		}
		return rows.Write([]string{
			e.At.Format(time.RFC3339Nano), plainCell(e.Actor), plainCell(e.Reason), plainCell(e.Campaign), plainCell(e.Creative),
			e.Before, e.Wanted, e.After, plainCell(e.Rule), e.Job, strconv.Itoa(e.Run), string(metrics),
		})
	})
	if err != nil {
		return err
	}
	rows.Flush()
	return rows.Error()
}

// plainCell keeps a stranger's words from being taken for a formula by a
// spreadsheet.
func plainCell(text string) string {
	if text != "" && (text[0] == '=' || text[0] == '+' || text[0] == '-' || text[0] == '@' || text[0] == '\t' || text[0] == '\r') {
		return "'" + text
	}
	return text
}
