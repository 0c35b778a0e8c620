package bench

import (
	"fmt"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// result is what usher bench measured.
type result struct {
	NATS      string  `json:"nats"`
	Replicas  int     `json:"replicas"`
	Redis     string  `json:"redis"`
	Publishes float64 `json:"publishesPerSecond"`
	Jobs      float64 `json:"jobsPerSecond"`
	IDs       float64 `json:"idsPerSecond"`
	Idle      latency `json:"pause"`
	Busy      latency `json:"pauseDuringUpload"`
}

func (b *bench) print(r result) error {
	r.NATS, r.Redis = config.HideLogin(b.config.String("nats.url")), config.HideLogin(b.config.String("redis.url"))
	r.Replicas = b.config.Int("nats.replicas")
	if b.asJSON {
		return terminal.WriteJSON(b.out, r)
	}
	rate := func(perSecond float64) string { return readable.Number(int64(perSecond)) }
	pause := func(l latency) string { return fmt.Sprintf("%.1f ms", l.Median) }
	slow := func(l latency) string { return fmt.Sprintf("99 %% within %.1f ms, of %d", l.Slow, l.Count) }
	table := terminal.Table{Header: []string{"MEASURED", "", "HOW"}}
	table.Add("jobs published per second", rate(r.Publishes), fmt.Sprintf("%d small jobs, acknowledged by NATS with %s", b.jobs, readable.Count(int64(r.Replicas), "replica")))
	table.Add("jobs run per second", rate(r.Jobs), fmt.Sprintf("by one worker with %d slots for uploads", b.config.Int("lanes.audience")))
	table.Add("ids uploaded per second", rate(r.IDs), fmt.Sprintf("one export of %s ids, to the sandbox on this machine", readable.Number(b.ids)))
	table.Add("a pause", pause(r.Idle), slow(r.Idle)+", from the publication to the platform")
	table.Add("a pause during the upload", pause(r.Busy), slow(r.Busy))
	return table.Write(b.out)
}
