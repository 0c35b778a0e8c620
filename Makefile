# Targets print their own help: `make` or `make help`.

# Without these parts of gRPC, and without debug tables, the binary is half as large. Tests
# use the tags, too: 140 fewer packages are compiled, and every test binary links faster.
TAGS        := -tags grpcnotrace,disable_grpc_modules
BUILD_FLAGS := $(TAGS) -trimpath -ldflags "-s -w"
NATS_SERVER := $(CURDIR)/.tools/nats-server
LINTER      := $(CURDIR)/.tools/golangci-lint
FUZZTIME    ?= 10s
FAULTS      ?= 10m

# Tests do not vet the code, because that would analyse all dependencies; make lint and .ci/run
# do.
TEST        := go test $(TAGS) -vet=off
# The packages in which goroutines compete for jobs, locks and limits: make test runs them with the
# race detector, make nightly all others. Tests whose names end in WithoutRace do one thing after the
# other, and would take minutes with it.
RACED       := ./queues/... ./workers/... ./pipeline ./internal/fleet
PROGRAM     := $(CURDIR)/bin/usher

.DEFAULT_GOAL := help
.PHONY: help setup build test test-raced test-plain test-short bench fuzz faults upgrade nightly lint generate guard screenshots charts release release-check test-arm64 clean

help: ## Print this
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: ## Install and build what the tests need: gcc, redis-server, Chromium, nats-server
	@.ci/setup

build: ## Build bin/usher, static and small
	CGO_ENABLED=0 go build $(BUILD_FLAGS) -o bin/usher ./cmd/usher

test: setup build ## Run all tests but those of make nightly, after setup
	$(MAKE) -j 2 --no-print-directory test-raced test-plain

# Two halves of make test, which run side by side because tests mostly wait for servers. The race
# detector delays the exit of a process by a second for goroutines that still run; tests wait for
# their goroutines, so they do not need that.
test-raced:
	USHER_TEST_NATS_SERVER=$(NATS_SERVER) CGO_ENABLED=1 GORACE=atexit_sleep_ms=50 \
	  $(TEST) -race -trimpath -timeout 30m -skip 'WithoutRace$$' $(RACED)

# cmd/usher takes longest, so it is first.
test-plain:
	USHER_TEST_NATS_SERVER=$(NATS_SERVER) USHER_TEST_PROGRAM=$(PROGRAM) CGO_ENABLED=0 \
	  $(TEST) -trimpath -timeout 30m usher/cmd/usher $(filter-out usher/cmd/usher $(shell go list $(RACED)),$(shell go list $(TAGS) ./...))
	CGO_ENABLED=0 $(TEST) -trimpath -timeout 30m -run 'WithoutRace$$' ./workers

test-short: ## Run the tests of the inner loop: without -race, long tests, server processes and browsers
	CGO_ENABLED=0 $(TEST) -trimpath -short -timeout 5m -p $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN)) ./...

bench: ## Run the benchmarks, also of simple programs for comparison; writes BENCHMARKS.md
	@.ci/bench | tee /dev/stderr | go run ./internal/bench -o BENCHMARKS.md

fuzz: ## Fuzz every parser for FUZZTIME (10s) each
	@.ci/fuzz $(FUZZTIME)

faults: setup build ## Test usher for FAULTS (10m) while servers, links and disks fail
	USHER_FAULTS=$(FAULTS) USHER_TEST_NATS_SERVER=$(NATS_SERVER) USHER_TEST_PROGRAM=$(CURDIR)/bin/usher \
	  go test $(TAGS) -vet=off -v -count 1 -timeout 0 -run '^(TestQueueAfterPowerCut|TestCampaign)$$' ./internal/faults

upgrade: setup build ## Test the upgrade from the release in .ci/previous, and the way back
	@USHER_TEST_NATS_SERVER=$(NATS_SERVER) USHER_TEST_PROGRAM=$(PROGRAM) .ci/upgrade

nightly: setup build ## Run the tests that take long, with -race, on rules drawn anew; fuzz every parser for ten minutes
	@USHER_TEST_NATS_SERVER=$(NATS_SERVER) USHER_TEST_PROGRAM=$(PROGRAM) .ci/nightly

lint: $(LINTER) ## Run golangci-lint, all linters but those excused in .golangci.yml
	$(LINTER) run ./...
	cd hashing/asm && $(LINTER) run ./...
	cd tools/console && $(LINTER) run ./...
	cd tools/release && $(LINTER) run ./...

# Every tool that the build needs is pinned in a go.mod.
$(LINTER): tools/lint/go.mod tools/lint/go.sum
	cd tools/lint && go build -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

generate: ## Regenerate generated files
	go generate ./...

guard: build ## Check the binary: dead code is eliminated
	@.ci/guard bin/usher

screenshots: setup build ## Write pictures of the console's pages to docs/images
	@mkdir -p docs/images
	USHER_TEST_PICTURES=$(CURDIR)/docs/images USHER_TEST_NATS_SERVER=$(NATS_SERVER) USHER_TEST_PROGRAM=$(PROGRAM) CGO_ENABLED=0 \
	  $(TEST) -trimpath -count 1 -run '^TestPictures$$' ./cmd/usher

charts: setup build ## Check the Helm chart: render it, and run what it renders
	USHER_TEST_NATS_SERVER=$(NATS_SERVER) USHER_TEST_PROGRAM=$(CURDIR)/bin/usher CGO_ENABLED=0 go -C tools/charts test -vet=off -trimpath -timeout 30m ./...

release: ## Build a release of the commit HEAD in dist: binaries, packages, image, checksums
	go -C tools/release run . -o $(CURDIR)/dist

# The release is built a second time, with nothing compiled before: this takes some minutes.
release-check: ## Check the release in dist: that a second one is equal, packages, image
	USHER_TEST_RELEASE=$(CURDIR)/dist go -C tools/release test -vet=off -trimpath -count 1 -v -timeout 90m .

# The packages that have assembly for amd64 and Go for arm64, or care for the order of bytes.
test-arm64: ## Test hashing, exports and pipeline on arm64, emulated by qemu-aarch64-static
	CGO_ENABLED=0 GOARCH=arm64 $(TEST) -trimpath -exec qemu-aarch64-static -timeout 60m ./hashing ./internal/exports/... ./pipeline

clean: ## Remove what was built here
	rm -rf bin dist .tools
