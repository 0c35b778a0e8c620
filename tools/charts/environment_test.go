package charts_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// usher accepts every variable that the chart sets. With them and the mounted files, the Job
// declares the streams with the administrator's login, and the Deployment runs until it is ready.
func TestEnvironmentRuns(t *testing.T) {
	t.Parallel()
	s := startServers(t)
	known := knownVariables(t)
	onEachFile(t, func(t *testing.T, values map[string]any) {
		all, err := render(values, nil)
		if err != nil {
			t.Fatal(err)
		}
		before, after := s.objects(), s.objects()
		for _, m := range all {
			switch {
			case m.Kind != "ConfigMap":
			case strings.Contains(m.hook(), "pre-install"):
				before["ConfigMap/"+m.Metadata.Name] = m.Data
			default:
				after["ConfigMap/"+m.Metadata.Name] = m.Data
			}
		}
		if migrates(values) {
			job := decode[batchv1.Job](t, all.find(t, "Job", nameOf(values)+"-migrate")).Spec.Template.Spec
			p := newPod(t, before, job)
			p.wantKnown(t, known)
			out := s.run(t, p)
			if !strings.Contains(out, "declared on") || !strings.Contains(out, "://admin:xxxxx@") {
				t.Errorf("the Job did not declare with the administrator's login:\n%s", out)
			}
		} else {
			s.migrate(t)
		}
		worker := decode[appsv1.Deployment](t, all.find(t, "Deployment", nameOf(values))).Spec.Template.Spec
		p := newPod(t, after, worker)
		p.wantKnown(t, known)
		s.runUntilReady(t, p)
		doctor := decode[corev1.Pod](t, all.find(t, "Pod", nameOf(values)+"-test")).Spec
		s.run(t, newPod(t, after, doctor))
	})
}

// Numbers and lists become text that usher reads.
func TestValuesBecomeText(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("values/numbers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	values := parseValues(t, string(text))
	values["config"].(map[string]any)["PLATFORM_ADVERTISER"] = 12345678.0
	all, err := render(values, nil)
	if err != nil {
		t.Fatal(err)
	}
	data := all.find(t, "ConfigMap", release).Data
	for variable, want := range map[string]string{
		"USHER_NATS_MAX_BYTES":               "1073741824",
		"USHER_NATS_REPLICAS":                "1",
		"USHER_PLATFORM_ADVERTISER":          "12345678",
		"USHER_PLATFORM_BURST":               "0",
		"USHER_UPLOAD_DEDUPE":                "false",
		"USHER_UPLOAD_MAX_MALFORMED_PERCENT": "0.5",
		"USHER_SOURCES_ALLOW":                "/exports,/etc",
		"USHER_ACTIONS":                      "budget,bid",
		"USHER_LEDGER_URL":                   "/ledger",
	} {
		if got, set := data[variable]; got != want || !set {
			t.Errorf("%s is %q, want %q", variable, got, want)
		}
	}
}

// nameOf returns the name of the objects that the chart renders.
func nameOf(values map[string]any) string {
	if name, ok := values["fullnameOverride"].(string); ok {
		return name
	}
	return release
}

// migrates reports whether the chart renders the Job.
func migrates(values map[string]any) bool {
	migrate, _ := values["migrate"].(map[string]any)
	return migrate["enabled"] != false
}

// knownVariables returns the variables of usher's configuration keys.
func knownVariables(t *testing.T) (known []string) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/usher.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var sections map[string]any
	if err := yaml.Unmarshal(text, &sections); err != nil {
		t.Fatal(err)
	}
	for section, keys := range sections {
		section = "USHER_" + strings.ToUpper(section)
		known = append(known, section)
		if keys, ok := keys.(map[string]any); ok {
			for key := range keys {
				known = append(known, section+"_"+strings.ToUpper(key))
			}
		}
	}
	return known
}

// pod is what the kubelet makes of a pod with one container: its variables, and its folders.
type pod struct {
	args      []string
	variables map[string]string
	folders   map[string]string // by the path in the container
}

// objects are the data of Secrets and ConfigMaps, by kind and name.
type objects map[string]map[string]string

// get returns the data of an object, without which the kubelet would not start the pod.
func (o objects) get(t *testing.T, kind, name string) map[string]string {
	t.Helper()
	data, exists := o[kind+"/"+name]
	if !exists {
		t.Fatalf("a pod needs the %s %s, which does not exist", kind, name)
	}
	return data
}

// newPod returns the pod that a kubelet starts.
func newPod(t *testing.T, o objects, spec corev1.PodSpec) pod {
	t.Helper()
	c := spec.Containers[0]
	p := pod{args: c.Args, variables: map[string]string{}, folders: map[string]string{}}
	for _, from := range c.EnvFrom { // the last one wins
		if from.ConfigMapRef != nil {
			maps.Copy(p.variables, o.get(t, "ConfigMap", from.ConfigMapRef.Name))
		}
		if from.SecretRef != nil {
			maps.Copy(p.variables, o.get(t, "Secret", from.SecretRef.Name))
		}
	}
	for _, env := range c.Env { // overrides all of EnvFrom
		p.variables[env.Name] = valueOf(t, o, env)
	}
	for _, mount := range c.VolumeMounts {
		i := slices.IndexFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name })
		if i < 0 {
			t.Fatalf("there is no volume %s for %s", mount.Name, mount.MountPath)
		}
		p.folders[mount.MountPath] = mountVolume(t, o, spec.Volumes[i])
	}
	return p
}

// valueOf returns the value of a variable.
func valueOf(t *testing.T, o objects, env corev1.EnvVar) string {
	t.Helper()
	switch from := env.ValueFrom; {
	case from == nil:
		return env.Value
	case from.FieldRef != nil:
		return "worker-" + strings.ReplaceAll(filepath.Base(t.Name()), "/", "-")
	case from.SecretKeyRef != nil:
		return o.get(t, "Secret", from.SecretKeyRef.Name)[from.SecretKeyRef.Key]
	default:
		return o.get(t, "ConfigMap", from.ConfigMapKeyRef.Name)[from.ConfigMapKeyRef.Key]
	}
}

// mountVolume returns a folder with the content of a volume. A Secret's files are links to
// those of a folder that the kubelet replaces when the Secret changes.
func mountVolume(t *testing.T, o objects, v corev1.Volume) string {
	t.Helper()
	folder := t.TempDir()
	var data map[string]string
	switch {
	case v.Secret != nil:
		data = o.get(t, "Secret", v.Secret.SecretName)
	case v.ConfigMap != nil:
		data = o.get(t, "ConfigMap", v.ConfigMap.Name)
	default:
		return folder
	}
	const version = "..2026_01_01"
	err := os.Mkdir(filepath.Join(folder, version), 0o755)
	if err == nil {
		err = os.Symlink(version, filepath.Join(folder, "..data"))
	}
	for name, content := range data {
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, version, name), []byte(content), 0o644)
		}
		if err == nil {
			err = os.Symlink(filepath.Join("..data", name), filepath.Join(folder, name))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// wantKnown tests that each variable for usher sets a configuration key.
func (p pod) wantKnown(t *testing.T, known []string) {
	t.Helper()
	for variable := range p.variables {
		if strings.HasPrefix(variable, "USHER_") && !slices.Contains(known, strings.TrimSuffix(variable, "_FILE")) {
			t.Errorf("%s sets no key of usher", variable)
		}
	}
}

// environment returns the variables for a process outside of a container: with its folders
// instead of those in the container, and the servers' addresses.
func (p pod) environment(addresses map[string]string) (environment []string) {
	var pairs []string
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(addresses))) {
		pairs = append(pairs, name, addresses[name])
	}
	inside := strings.NewReplacer(pairs...)
	for variable, value := range p.variables {
		items := strings.Split(value, ",")
		for i, item := range items {
			items[i] = inside.Replace(p.outside(item))
		}
		environment = append(environment, variable+"="+strings.Join(items, ","))
	}
	return environment
}

// outside returns the path of a file in the container as a process outside of it sees it.
func (p pod) outside(path string) string {
	for folder, here := range p.folders {
		if path == folder || strings.HasPrefix(path, folder+"/") {
			return here + strings.TrimPrefix(path, folder)
		}
	}
	return path
}
