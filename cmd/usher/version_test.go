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
	for name, c := range map[string]struct {
		info *debug.BuildInfo
		want string
	}{
		"a release":           {built("v1.2.3"), "1.2.3"},
		"a checkout":          {built("(devel)", revision), "0.0.0-0123456789ab"},
		"a modified checkout": {built("(devel)", revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "0.0.0-0123456789ab+dirty"},
		"no version":          {built(""), "0.0.0-unknown"},
	} {
		if got := versionOf(c.info); got != c.want {
			t.Errorf("%s: version %s, want %s", name, got, c.want)
		}
	}
}
