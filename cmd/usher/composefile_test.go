package main_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// compose is a compose file whose services run as processes. Each replica of a service is named
// as its host, such as redis, or usher and usher-2.
type compose struct {
	t         *testing.T
	services  map[string]map[string]any
	configs   map[string]any
	image     []string          // environment of the Dockerfile
	addresses map[string]string // by host
	folder    string
	processes map[string]*process // by host
}

func newCompose(t *testing.T) *compose {
	t.Helper()
	file := interpolate(composeFile(t)).(map[string]any)
	c := &compose{
		t: t, configs: file["configs"].(map[string]any), services: map[string]map[string]any{},
		addresses: map[string]string{}, folder: t.TempDir(), processes: map[string]*process{},
	}
	port := freePort(t) // differs from those of other tests that run now
	for name, s := range file["services"].(map[string]any) {
		c.services[name] = s.(map[string]any)
		for _, host := range c.hosts(name) {
			c.addresses[host] = fmt.Sprintf("127.%d.%d.%d", port>>8, port&0xff, len(c.addresses)+1)
		}
	}
	_, last, _ := strings.Cut(readDeployFile(t, "Dockerfile"), "FROM scratch")
	c.image = regexp.MustCompile(`USHER_[A-Z_]+=\S+`).FindAllString(last, -1)
	if !strings.Contains(last, `ENTRYPOINT ["/usr/local/bin/usher"]`) || len(c.image) == 0 {
		t.Fatal("the Dockerfile has another entrypoint, or no environment")
	}
	return c
}

// interpolate replaces ${NAME:-default} by the default and $$ by $, as compose does.
func interpolate(v any) any {
	switch v := v.(type) {
	case string:
		text := regexp.MustCompile(`\$\{[A-Z_]+:-([^}]*)\}`).ReplaceAllString(v, "$1")
		return strings.ReplaceAll(text, "$$", "$")
	case map[string]any:
		for key := range v {
			v[key] = interpolate(v[key])
		}
	case []any:
		for i := range v {
			v[i] = interpolate(v[i])
		}
	}
	return v
}

// hosts returns the names of a service's replicas.
func (c *compose) hosts(service string) []string {
	hosts := []string{service}
	if deploy, ok := c.services[service]["deploy"].(map[string]any); ok {
		for i := 2; i <= deploy["replicas"].(int); i++ {
			hosts = append(hosts, fmt.Sprintf("%s-%d", service, i))
		}
	}
	return hosts
}

// up starts all services, each after those that it depends on are in the state that it requires.
func (c *compose) up() {
	c.t.Helper()
	pending := slices.Sorted(maps.Keys(c.services))
	for len(pending) > 0 {
		var later []string
		for _, name := range pending {
			needs, _ := c.services[name]["depends_on"].(map[string]any)
			switch {
			case notStarted[name] != "":
			case slices.ContainsFunc(slices.Collect(maps.Keys(needs)), func(need string) bool { return c.processes[need] == nil }):
				later = append(later, name)
			default:
				for need, how := range needs {
					c.await(need, how.(map[string]any)["condition"].(string))
				}
				for _, host := range c.hosts(name) {
					c.start(name, host)
				}
			}
		}
		if len(later) == len(pending) {
			c.t.Fatalf("%v depend on services that do not exist", later)
		}
		pending = later
	}
}

// await waits until a service is in the state that another one requires.
func (c *compose) await(service, condition string) {
	c.t.Helper()
	switch condition {
	case "service_completed_successfully":
		if code := c.processes[service].exit(c.t); code != 0 {
			c.t.Fatalf("%s ended with exit code %d", service, code)
		}
	case "service_healthy":
		check := c.services[service]["healthcheck"].(map[string]any)
		test := c.strings(service, check["test"])
		if test[0] != "CMD" {
			c.t.Fatalf("the healthcheck of %s is not CMD", service)
		}
		if test[1] == "redis-cli" { // whose default host is 127.0.0.1
			test = slices.Insert(test, 2, "-h", c.addresses[service])
		}
		if _, err := time.ParseDuration(check["interval"].(string)); err != nil || check["retries"].(int) < 1 {
			c.t.Fatalf("the healthcheck of %s has no interval and retries: %v", service, err)
		}
		eventually(c.t, service+" is healthy", func() bool {
			return exec.CommandContext(c.t.Context(), test[1], test[2:]...).Run() == nil
		})
	default:
		c.t.Fatalf("the test does not know the condition %s", condition)
	}
}

// start starts a replica of a service.
func (c *compose) start(service, host string) {
	c.t.Helper()
	s := c.services[service]
	command := c.strings(host, s["command"])
	var program string
	env := []string{}
	switch image := s["image"].(string); {
	case image == "usher":
		program, env = commandProgram(c.t), []string{asUsher + "=1"}
		for _, pair := range c.image {
			env = append(env, c.text(host, pair))
		}
	case strings.HasPrefix(image, "nats:"):
		var err error
		if program, err = natsProgram(); err != nil {
			c.t.Fatal(err)
		}
		command = append(command, "--addr", c.addresses[host])
	case strings.HasPrefix(image, "redis:"):
		program, command = command[0], append(command[1:], "--bind", c.addresses[host])
	default:
		c.t.Fatalf("add %s to notStarted, or tell the test how to start it", service)
	}
	for _, volume := range c.list(s["volumes"]) {
		_, to, _ := strings.Cut(volume.(string), ":")
		to, _, _ = strings.Cut(to, ":")
		if err := os.MkdirAll(c.path(host, to), 0o700); err != nil {
			c.t.Fatal(err)
		}
	}
	for _, config := range c.list(s["configs"]) {
		c.writeConfig(host, config.(map[string]any))
	}
	environment, _ := s["environment"].(map[string]any)
	for name, value := range environment {
		env = append(env, name+"="+c.text(host, fmt.Sprint(value)))
	}
	c.processes[host] = startProcess(c.t, host, env, program, command...)
}

// writeConfig writes what a service mounts of the file's configs.
func (c *compose) writeConfig(host string, mounted map[string]any) {
	c.t.Helper()
	source := c.configs[mounted["source"].(string)].(map[string]any)
	content, ok := source["content"].(string)
	if !ok {
		content = readDeployFile(c.t, source["file"].(string))
	}
	path := c.path(host, mounted["target"].(string))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	// The routes of a cluster listen everywhere unless told otherwise.
	content = strings.ReplaceAll(content, "port: 6222", "host: 127.0.0.1, port: 6222")
	writeFile(c.t, path, c.text(host, content))
}

// path returns where a path of a replica lies. Replicas share volumes.
func (c *compose) path(host, path string) string {
	service := host
	for name := range c.services {
		if slices.Contains(c.hosts(name), host) {
			service = name
		}
	}
	return filepath.Join(c.folder, service, path)
}

// text returns text of the file as a replica reads it: with addresses and paths of this machine.
func (c *compose) text(host, text string) string {
	for name, address := range c.addresses {
		text = regexp.MustCompile(`\b`+name+`:(\d)`).ReplaceAllString(text, address+":$1")
	}
	text = strings.NewReplacer("127.0.0.1", c.addresses[host], "0.0.0.0", c.addresses[host]).Replace(text)
	return regexp.MustCompile(`(^|["\s])(/(?:data|exports|ledger|etc/nats/nats\.conf)\b)`).ReplaceAllStringFunc(text, func(found string) string {
		i := strings.Index(found, "/")
		return found[:i] + c.path(host, found[i:])
	})
}

func (c *compose) strings(host string, list any) []string {
	var texts []string
	for _, v := range c.list(list) {
		texts = append(texts, c.text(host, v.(string)))
	}
	return texts
}

func (*compose) list(v any) []any {
	list, _ := v.([]any)
	return list
}

// connect connects to the file's NATS servers as one of its users, whose password is its name.
func (c *compose) connect(user string, options ...nats.Option) *nats.Conn {
	c.t.Helper()
	nc, err := nats.Connect(fmt.Sprintf("nats://%[1]s:%[1]s@%[2]s:4222", user, c.addresses["nats-1"]), append(options, nats.Timeout(patience))...)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(nc.Close)
	return nc
}
