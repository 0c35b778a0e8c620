package console

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"usher"
	"usher/queues/audit"
)

// writeAuditLines writes the entries that match as JSON, one per line.
func (c *Console) writeAuditLines(ctx context.Context, f audit.Filter, w io.Writer) error {
	lines := json.NewEncoder(w)
	return c.options.Audit.Each(ctx, f, func(entry usher.Audit) error { return lines.Encode(entry) })
}

// writeAuditCSV writes the entries that match as CSV with a header.
func (c *Console) writeAuditCSV(ctx context.Context, f audit.Filter, w io.Writer) error {
	rows := csv.NewWriter(w)
	err := rows.Write([]string{"at", "actor", "reason", "campaign", "creative", "before", "wanted", "after", "rule", "job", "run", "metrics"})
	if err != nil {
		return fmt.Errorf("write audit: %w", err)
	}
	err = c.options.Audit.Each(ctx, f, func(e usher.Audit) error {
		metrics, err := json.Marshal(e.Metrics)
		if err != nil {
			return fmt.Errorf("encode metrics: %w", err)
		}
		return rows.Write([]string{
			e.At.Format(time.RFC3339Nano), plainCell(e.Actor), plainCell(e.Reason), plainCell(e.Campaign), plainCell(e.Creative),
			plainCell(e.Before), plainCell(e.Wanted), plainCell(e.After), plainCell(e.Rule), plainCell(e.Job), strconv.Itoa(e.Run), string(metrics),
		})
	})
	if err != nil {
		return err
	}
	rows.Flush()
	return rows.Error()
}

// plainCell puts an apostrophe before text that a spreadsheet would read as a formula.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
