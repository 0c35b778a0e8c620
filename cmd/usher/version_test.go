package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionFromBuildInfo(t *testing.T) {
	t.Parallel()
	built := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	time := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-26T07:52:26Z"}
	for name, c := range map[string]struct {
		info *debug.BuildInfo
		want build
	}{
		"a release":           {built("v1.2.3"), build{Version: "1.2.3"}},
		"a checkout":          {built("(devel)", revision, time), build{Version: "0.0.0-0123456789ab", Commit: revision.Value, Date: time.Value}},
		"a modified checkout": {built("(devel)", revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), build{Version: "0.0.0-0123456789ab+dirty", Commit: revision.Value}},
		"no version":          {built(""), build{Version: "0.0.0-unknown"}},
	} {
		if got := buildOf(c.info); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestBuildAsText(t *testing.T) {
	t.Parallel()
	b := build{Version: "1.2.3", Go: "go1.26.8", Platform: "linux/arm64"}
	if got, want := b.String(), "usher 1.2.3, go1.26.8, linux/arm64"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	b.Commit, b.Date = "0123", "2026-11-26T07:52:26Z"
	if got, want := b.String(), "usher 1.2.3, commit 0123 of 2026-11-26T07:52:26Z, go1.26.8, linux/arm64"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
