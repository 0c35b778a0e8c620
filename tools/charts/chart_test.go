package charts_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/yannh/kubeconform/pkg/validator"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
)

// Helm's linter has no warning, and each rendered object conforms to the schema of its kind.
func TestManifestsAreValid(t *testing.T) {
	t.Parallel()
	onEachFile(t, func(t *testing.T, values map[string]any) {
		for _, m := range lint.RunAll(chartFolder, values, namespace).Messages {
			if m.Severity >= support.WarningSev {
				t.Errorf("helm lint: %v", m)
			}
		}
		all, err := render(values, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := validator.New([]string{"schemas/{{.ResourceKind}}{{.KindSuffix}}.json"}, validator.Opts{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			for _, result := range v.Validate(m.Metadata.Name, io.NopCloser(strings.NewReader(m.text))) {
				if result.Status != validator.Valid {
					t.Errorf("%s %s: %v\n%s", m.Kind, m.Metadata.Name, result.Err, m.text)
				}
			}
		}
	})
}

// The Service and the Deployment select the workers, and no other pod of the chart.
func TestSelectorsMatchOnlyWorkers(t *testing.T) {
	t.Parallel()
	onEachFile(t, func(t *testing.T, values map[string]any) {
		all, err := render(values, nil)
		if err != nil {
			t.Fatal(err)
		}
		var selector labels.Set
		pods := map[string]labels.Set{}
		for _, m := range all {
			switch m.Kind {
			case "Service":
				selector = decode[corev1.Service](t, m).Spec.Selector
			case "Deployment":
				d := decode[appsv1.Deployment](t, m)
				pods["worker"] = d.Spec.Template.Labels
				for _, c := range d.Spec.Template.Spec.TopologySpreadConstraints {
					if c.LabelSelector == nil {
						t.Errorf("the constraint on %s selects no pods", c.TopologyKey)
					}
				}
			case "Job":
				pods["migrate"] = decode[batchv1.Job](t, m).Spec.Template.Labels
			case "Pod":
				pods["test"] = m.Metadata.Labels
			}
		}
		for pod, have := range pods {
			if matches := selector.AsSelector().Matches(have); matches != (pod == "worker") {
				t.Errorf("the Service's selector %v matches the pods of %s: %v", selector, pod, matches)
			}
		}
	})
}

// The chart refuses values with which usher would not start, and says which.
func TestRefusedValues(t *testing.T) {
	t.Parallel()
	const required = "config: {PLATFORM_URL: 'http://platform:8480', PLATFORM_ADVERTISER: SANDBOX1"
	for name, test := range map[string]struct{ values, want string }{
		"none":                    {"{}", "config.PLATFORM_URL is required"},
		"no advertiser":           {"config: {PLATFORM_URL: 'http://platform:8480'}", "config.PLATFORM_ADVERTISER is required"},
		"misspelt":                {required + "}\nreplica: 3", "'replica' not allowed"},
		"misspelt below":          {required + "}\nmigrate: {existingSecrets: usher}", "'existingSecrets' not allowed"},
		"misspelt key":            {required + ", NATS_ULR: 'nats://nats'}", "'NATS_ULR' not allowed"},
		"a secret":                {required + ", PLATFORM_PASSWORD: secret}", "'PLATFORM_PASSWORD' not allowed"},
		"a key of the chart":      {required + ", CONSOLE_LISTEN: ':80'}", "'CONSOLE_LISTEN' not allowed"},
		"wrong type":              {required + "}\nreplicas: two", "/replicas"},
		"wrong type of a key":     {required + ", LANES_BULK: many}", "LANES_BULK"},
		"tag as digest":           {required + "}\nimage: {digest: latest}", "/image/digest"},
		"users without TLS":       {required + "}\nconsole: {users: console-users}", "console.users needs TLS"},
		"intake without tokens":   {required + "}\nintake: {enabled: true}", "intake.tokens names the Secret"},
		"ingress without host":    {required + "}\nconsole: {ingress: {enabled: true}}", "console.ingress.host"},
		"two origins of rules":    {required + "}\nrules: {existingConfigMap: ours, files: {a.yaml: 'rules: []'}}", "rules.files and rules.existingConfigMap are both set"},
		"rules that are not YAML": {required + "}\nrules: {files: {budgets: 'rules: []'}}", "'budgets' does not match"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := render(parseValues(t, test.values), nil); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want one with %q", err, test.want)
			}
		})
	}
}

// An upgrade restarts the workers if a Secret or ConfigMap with their variables has changed,
// or the configuration, and otherwise not.
func TestChangesRestartWorkers(t *testing.T) {
	t.Parallel()
	base := `
config: {PLATFORM_URL: "http://platform:8480", PLATFORM_ADVERTISER: SANDBOX1}
existingSecret: usher
extraEnvFrom: [{configMapRef: {name: region}}]
extraEnv: [{name: USHER_REDIS_URL, valueFrom: {secretKeyRef: {name: redis, key: url}}}]
`
	annotations := func(values string, changed ...string) string {
		all, err := render(parseValues(t, values), startAPI(t, changed...))
		if err != nil {
			t.Fatal(err)
		}
		d := decode[appsv1.Deployment](t, all.find(t, "Deployment", release))
		return fmt.Sprint(d.Spec.Template.Annotations)
	}
	before := annotations(base)
	if after := annotations(base); after != before {
		t.Errorf("without a change, the annotations change from\n%s to\n%s", before, after)
	}
	for _, changed := range []string{"secrets/usher", "secrets/redis", "configmaps/region"} {
		if after := annotations(base, changed); after == before {
			t.Errorf("after a change of %s, the annotations are the same", changed)
		}
	}
	if after := annotations(strings.Replace(base, "SANDBOX1", "OTHER", 1)); after == before {
		t.Error("after a change of the configuration, the annotations are the same")
	}
	if after := annotations(base, "secrets/other"); after != before {
		t.Error("the annotations depend on a Secret that the chart does not use")
	}
}

// startAPI starts a Kubernetes API whose Secrets and ConfigMaps have version 1, and those
// that changed version 2.
func startAPI(t *testing.T, changed ...string) *rest.Config {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "v1", "resources": [
			{"name": "secrets", "kind": "Secret", "namespaced": true, "verbs": ["get"]},
			{"name": "configmaps", "kind": "ConfigMap", "namespaced": true, "verbs": ["get"]}]}`)
	})
	mux.HandleFunc("GET /api/v1/namespaces/"+namespace+"/{kind}/{name}", func(w http.ResponseWriter, r *http.Request) {
		object, version := r.PathValue("kind")+"/"+r.PathValue("name"), 1
		for _, c := range changed {
			if c == object {
				version = 2
			}
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"kind": "Secret", "apiVersion": "v1", "metadata": {"name": %q, "uid": "1", "resourceVersion": "%d"}}`, r.PathValue("name"), version)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL}
}
