// Command release builds a release of usher from a commit: static binaries, archives, Debian
// and RPM packages, an OCI image, software bills of materials, release notes, and checksums.
//
//	go run . -o ../../dist
//
// It builds in a copy of the commit, so that nothing else gets into a release, and gives all
// files the commit's time: two releases of a commit by the same version of Go are equal byte
// for byte.
//
//	main.go      the steps
//	source.go    the copy of the commit, the version, the time
//	binary.go    the binaries
//	texts.go     the man page, completions, licences and other texts that are shipped
//	archive.go   archives
//	packages.go  Debian and RPM packages
//	scripts      what packages run when they are installed and removed
//	image.go     the OCI image
//	layout.go    the files of an OCI image
//	sbom.go      software bills of materials
//	notes.go     the release notes
//
// The tests check a finished release; make release-check runs them.
package main
