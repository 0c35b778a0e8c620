package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the format
)

// writePackages writes a Debian and an RPM package for each architecture.
func (r *release) writePackages() error {
	folder, err := os.MkdirTemp("", "usher-package-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a temporary folder
	for _, b := range r.linux() {
		for _, format := range []string{"deb", "rpm"} {
			if err := r.writePackage(b, format, folder); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) writePackage(b binary, format, folder string) error {
	contents, err := r.contents(b, format, folder)
	if err != nil {
		return err
	}
	info := &nfpm.Info{
		Name: "usher", Arch: b.arch, Platform: "linux", Version: r.version,
		Section: "net", Priority: "optional", License: "Apache-2.0",
		Maintainer:  "The usher authors",
		Description: "Loads audiences of device ids\nUploads exports of device ids into segments and campaign targeting of a\nreal-time-bidding platform, and pauses and resumes creatives by rules.",
		MTime:       r.time,
	}
	info.Contents = contents
	// HTTPS needs the one, rules with time zones the other.
	info.Depends = []string{"ca-certificates", "tzdata"}
	scripts := filepath.Join(r.folder, "tools", "release", "scripts")
	info.Scripts = nfpm.Scripts{
		PostInstall: filepath.Join(scripts, "postinstall"), PreRemove: filepath.Join(scripts, "preremove"), PostRemove: filepath.Join(scripts, "postremove"),
	}
	info.RPM.BuildHost = "localhost" // and not this machine
	info.RPM.Summary, _, _ = strings.Cut(info.Description, "\n")
	info = nfpm.WithDefaults(info)
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	f, err := os.Create(b.path + "." + format)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // again, after an error
	if err := packager.Package(info, f); err != nil {
		return err
	}
	return f.Close()
}

// contents writes the texts to the folder, because nfpm reads files, and returns what a package
// holds. An upgrade keeps a changed /etc/usher/usher.yaml.
func (r *release) contents(b binary, format, folder string) (files.Contents, error) {
	zsh := "/usr/share/zsh/site-functions/_usher"
	licence := "/usr/share/doc/usher/LICENSE"
	if format == "deb" {
		zsh, licence = "/usr/share/zsh/vendor-completions/_usher", "/usr/share/doc/usher/copyright"
	}
	all := files.Contents{
		{Source: b.path, Destination: "/usr/bin/usher", FileInfo: r.file(0o755)},
	}
	const documents = "/usr/share/doc/usher"
	for _, folder := range []string{"/etc/usher", documents, documents + "/examples", documents + "/examples/prometheus", documents + "/examples/grafana", documents + "/examples/grafana/dashboards", documents + "/examples/feeds", documents + "/examples/rules"} {
		all = append(all, &files.Content{Destination: folder, Type: files.TypeDir, FileInfo: r.file(0o755)})
	}
	for _, t := range []struct {
		to   string
		data []byte
		kind string
	}{
		{to: "/etc/usher/usher.yaml", data: r.texts.config, kind: files.TypeConfigNoReplace},
		{to: "/usr/lib/systemd/system/usher.service", data: r.texts.unit},
		{to: "/usr/lib/sysusers.d/usher.conf", data: []byte(sysusers)},
		{to: "/usr/share/man/man1/usher.1.gz", data: zipped(r.texts.man)},
		{to: "/usr/share/bash-completion/completions/usher", data: r.texts.completeBash},
		{to: zsh, data: r.texts.completeZsh},
		{to: "/usr/share/fish/vendor_completions.d/usher.fish", data: r.texts.completeFish},
		{to: licence, data: r.texts.licence},
		{to: "/usr/share/doc/usher/THIRD-PARTY-LICENSES.gz", data: zipped(r.texts.notices)},
		{to: "/usr/share/doc/usher/CHANGELOG.md.gz", data: zipped(r.texts.changelog)},
	} {
		path := filepath.Join(folder, format+strings.ReplaceAll(t.to, "/", "-"))
		if err := os.WriteFile(path, t.data, 0o644); err != nil {
			return nil, err
		}
		all = append(all, &files.Content{Source: path, Destination: t.to, Type: t.kind, FileInfo: r.file(0o644)})
	}
	for _, name := range []string{"nats.conf", "nats-passwords.conf", "nats-cluster.conf", "redis.acl", "redis.conf", "sentinel.conf", "prometheus/alerts.yml", "grafana/dashboards/usher.json", "feeds/crm.yaml", "rules/budgets.yaml", "rules/spend.yaml"} {
		all = append(all, &files.Content{
			Source: filepath.Join(r.folder, "deploy", name), Destination: "/usr/share/doc/usher/examples/" + name, FileInfo: r.file(0o644),
		})
	}
	return all, nil
}

func (r *release) file(mode os.FileMode) *files.ContentFileInfo {
	return &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.time}
}
