package rules_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// large returns a number of creatives, ten a campaign, and a number of rules with
// shared windows, some on campaigns and some on creatives. threshold decides how many
// rules fire. relative is joined to conditions on creatives.
func large(tb testing.TB, creatives, count int, threshold float64, relative string) (*rules.Set, rules.Snapshot) {
	tb.Helper()
	var text strings.Builder
	text.WriteString("account: A\ntimezone: Europe/London\nrules:\n")
	for n := range count {
		window, level := []string{"yesterday", "last 7 days", "last 14 days"}[n%3], []string{"creative", "creative", "campaign"}[n/3%3]
		condition := []string{"grossMediaSpend >= %f * budget", "cpc > %f && impressions > 100", "cpc > %f || previous.ctr > 2 * ctr"}[n%3]
		if level == "creative" {
			condition += relative
		}
		fmt.Fprintf(&text, "  - {name: r%d, scope: {campaigns: [\"A-*\"], level: %s}, window: %s, min_days: 1, min_data: {impressions: 1}, pause_when: '%s', resume_when: '%s'}\n",
			n, level, window, fmt.Sprintf(condition, threshold+float64(n)/100), "netMediaSpend < 0 && uniqueClicks < 0")
	}
	set := load(tb, text.String())
	at, _ := set.EndOf("2026-05-20")
	sums := rules.NewFigures(set, at)
	var list []rules.Creative
	for n := range creatives {
		campaign, code := fmt.Sprintf("A-%d", n/10), fmt.Sprintf("c%d", n)
		list = append(list, rules.Creative{Campaign: campaign, Code: code, Status: "ACTIVE"})
		for _, date := range []string{"2026-05-19", "2026-05-15", "2026-05-10", "2026-04-30"} {
			row := figures.Row{Date: date, Campaign: campaign, Creative: code}
			for f := range row.Values {
				row.Values[f] = float64(n%97 + f)
			}
			if err := sums.Add(row); err != nil {
				tb.Fatal(err)
			}
			if row.Creative = ""; n%10 == 0 {
				_ = sums.Add(row)
			}
		}
	}
	return set, rules.Snapshot{Figures: sums, Creatives: list}
}

// BenchmarkDecide decides on 100,000 creatives with 100 rules. The goals are 2 s and
// 200 MB, including figures and the explanations of all decisions but none.
func BenchmarkDecide(b *testing.B) {
	for name, threshold := range map[string]float64{"few-change": 2.2, "many-change": 1.2} {
		b.Run(name, func(b *testing.B) { benchmarkDecide(b, threshold, "") })
	}
	b.Run("relative", func(b *testing.B) {
		benchmarkDecide(b, 2.2, ` && ctr < 9 * campaign.ctr && ctr_upper95 > 0.1 * account.ctr && cpc < 9 * over("last 3 days").cpc && rank(ctr) <= count()`)
	})
}

func benchmarkDecide(b *testing.B, threshold float64, relative string) {
	set, snapshot := large(b, 100_000, 100, threshold, relative)
	var counts map[usher.Action]int
	var peak uint64
	began, start := processorTime(b), time.Now()
	for b.Loop() {
		run, err := set.Decide(b.Context(), snapshot)
		if err != nil {
			b.Fatal(err)
		}
		counts = map[usher.Action]int{}
		for d := range run.Decisions(func(a usher.Action) bool { return a != usher.None }) {
			counts[d.Action]++
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapInuse)
	}
	b.ReportMetric(time.Since(start).Seconds()/float64(b.N), "s/op") // means little on a busy machine
	b.ReportMetric((processorTime(b)-began).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(peak)/1e6, "MB-heap")
	b.ReportMetric(float64(counts[usher.Pause]), "pauses")
}

// processorTime returns the processor time of this process.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkLoad loads a file of 1,000 rules.
func BenchmarkLoad(b *testing.B) {
	var text strings.Builder
	text.WriteString("account: A\ntimezone: Europe/London\nrules:\n")
	for n := range rules.MaxRules {
		condition := []string{"grossMediaSpend >= %d * budget", "cpc > %d && impressions > 100", "cpc > %d || previous.ctr > 2 * ctr"}[n%3]
		fmt.Fprintf(&text, "  - {name: r%d, scope: {campaigns: [\"A-%d\"]}, window: yesterday, min_data: {impressions: 500, clicks: 500}, pause_when: '%s', schedule: \"0 7 * * *\"}\n", n, n, fmt.Sprintf(condition, n+2))
	}
	b.ReportAllocs()
	for b.Loop() {
		if set, problems := rules.Load("x.yaml", []byte(text.String())); set == nil {
			b.Fatal(problems)
		}
	}
}
