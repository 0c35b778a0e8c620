package pipeline_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"usher"
	"usher/pipeline"
)

func TestSeal(t *testing.T) {
	t.Parallel()
	idfa := usher.Profile{Type: usher.IDFA}
	for name, test := range map[string]struct {
		input   usher.Input
		ids     []string
		want    []string
		dropped usher.Tally
	}{
		"clean":     {"", []string{idOf(1), idOf(2), idOf(1)}, []string{digestOf(1), digestOf(2), digestOf(1)}, usher.Tally{}},
		"line ends": {"raw", []string{idOf(1) + "\r\n", idOf(2) + "\n"}, []string{digestOf(1), digestOf(2)}, usher.Tally{}},
		"dirt":      {"raw", []string{"", "null", idOf(1), "x\ny"}, []string{digestOf(1)}, usher.Tally{Read: 3, Junk: usher.Counts{"empty": 1, "placeholder": 1}, Invalid: usher.Counts{"shape": 1}}},
		"auto, raw": {"auto", []string{idOf(1), "x"}, []string{digestOf(1)}, usher.Tally{Read: 1, Invalid: usher.Counts{"shape": 1}}},
		"auto, md5": {"auto", []string{digestOf(1), digestOf(2)}, []string{digestOf(1), digestOf(2)}, usher.Tally{}},
		"md5":       {"md5", []string{digestOf(1), idOf(2)}, []string{digestOf(1)}, usher.Tally{Read: 1, Invalid: usher.Counts{"wrong_type": 1}}},
		"only dirt": {"raw", []string{"x"}, []string{}, usher.Tally{Read: 1, Invalid: usher.Counts{"shape": 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			published := usher.Job{Profile: &idfa, Input: test.input, Source: &usher.Source{IDs: slices.Clone(test.ids)}}
			job := published
			dropped, err := pipeline.HashInline(&job)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(job.Source.IDs, test.want) || job.Input != usher.InputMD5 {
				t.Errorf("input %s with ids %v, want %v", job.Input, job.Source.IDs, test.want)
			}
			if fmt.Sprint(dropped) != fmt.Sprint(test.dropped) || dropped.Check() != nil {
				t.Errorf("dropped %+v, want %+v", dropped, test.dropped)
			}
			if !slices.Equal(published.Source.IDs, test.ids) {
				t.Error("the caller's ids were changed")
			}
			again := job
			if more, err := pipeline.HashInline(&again); err != nil || more.Read != 0 || !slices.Equal(again.Source.IDs, job.Source.IDs) {
				t.Errorf("sealed twice: %v, %+v dropped, ids %v", err, more, again.Source.IDs)
			}
		})
	}
}

func TestSealLeavesOthers(t *testing.T) {
	t.Parallel()
	for name, job := range map[string]usher.Job{
		"no source": {Input: "auto"},
		"a URL":     {Input: "auto", Source: &usher.Source{URL: "file:///x"}},
	} {
		sealed := job
		if dropped, err := pipeline.HashInline(&sealed); err != nil || dropped.Read != 0 || sealed.Input != "auto" {
			t.Errorf("%s: %v, %+v dropped, input %s", name, err, dropped, sealed.Input)
		}
	}
	for name, profile := range map[string]*usher.Profile{"no profile": nil, "an unknown one": {Type: "x"}} {
		job := usher.Job{Profile: profile, Source: &usher.Source{IDs: []string{idOf(1)}}}
		var p *usher.Permanent
		if _, err := pipeline.HashInline(&job); !errors.As(err, &p) || p.Class != usher.InvalidJob || p.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecideInput(t *testing.T) {
	t.Parallel()
	p := usher.Profile{Type: usher.AAID}
	for data, want := range map[string]usher.Input{idOf(1) + "\n": usher.InputRaw, digestOf(1) + "\n" + digestOf(2): usher.InputMD5} {
		if got := pipeline.DecideInput(p, &usher.Block{Data: []byte(data)}); got != want {
			t.Errorf("%q is %s, want %s", data, got, want)
		}
	}
}
