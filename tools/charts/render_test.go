// Package charts_test tests the Helm chart: it renders the chart by Helm's own library with
// each file in values, and starts usher as the kubelet would.
package charts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader"
	"helm.sh/helm/v4/pkg/engine"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

const (
	chartFolder = "../../deploy/chart"
	release     = "checked"
	namespace   = "audiences"
)

// manifest is a rendered object.
type manifest struct {
	text     string
	Kind     string `json:"kind"`
	Metadata struct {
		Name        string            `json:"name"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Data map[string]string `json:"data"`
}

// hook returns the hooks that the manifest belongs to; "" if it is part of the release.
func (m manifest) hook() string { return m.Metadata.Annotations["helm.sh/hook"] }

// decode decodes the manifest into an object of its kind.
func decode[Object any](t *testing.T, m manifest) (object Object) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(m.text), &object); err != nil {
		t.Fatalf("%s %s: %v", m.Kind, m.Metadata.Name, err)
	}
	return object
}

// manifests are the objects that the chart renders.
type manifests []manifest

// find returns the manifest of an object.
func (all manifests) find(t *testing.T, kind, name string) manifest {
	t.Helper()
	for _, m := range all {
		if m.Kind == kind && m.Metadata.Name == name {
			return m
		}
	}
	t.Fatalf("the chart renders no %s %s", kind, name)
	return manifest{}
}

// render returns what helm install would create. Without a cluster, as in helm template,
// lookups find nothing.
func render(values map[string]any, cluster *rest.Config) (manifests, error) {
	chart, err := loader.Load(chartFolder)
	if err != nil {
		return nil, err
	}
	options := common.ReleaseOptions{Name: release, Namespace: namespace, IsInstall: true, Revision: 1}
	complete, err := util.ToRenderValues(chart, values, options, nil)
	if err != nil {
		return nil, err
	}
	texts, err := engine.Render(chart, complete)
	if cluster != nil {
		texts, err = engine.RenderWithClient(chart, complete, cluster)
	}
	if err != nil {
		return nil, err
	}
	var all manifests
	for file, text := range texts {
		if filepath.Ext(file) != ".yaml" {
			continue
		}
		for text := range strings.SplitSeq("\n"+text, "\n---\n") {
			m := manifest{text: text}
			if err := yaml.Unmarshal([]byte(text), &m); err != nil {
				return nil, fmt.Errorf("read %s: %w\n%s", file, err, text)
			}
			if m.Kind != "" {
				all = append(all, m)
			}
		}
	}
	return all, nil
}

// parseValues returns the values of a YAML text.
func parseValues(t *testing.T, text string) map[string]any {
	t.Helper()
	var values map[string]any
	if err := yaml.Unmarshal([]byte(text), &values); err != nil {
		t.Fatal(err)
	}
	return values
}

// onEachFile runs a test with each file in values.
func onEachFile(t *testing.T, test func(t *testing.T, values map[string]any)) {
	t.Helper()
	files, err := filepath.Glob("values/*.yaml")
	if err != nil || len(files) < 12 {
		t.Fatalf("there are %d files of values, want 12 or more (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, parseValues(t, string(text)))
		})
	}
}
