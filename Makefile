# What a developer runs. "make" alone lists the targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --warn-undefined-variables

APIDIFF := golang.org/x/exp/cmd/apidiff@v0.0.0-20260908205506-85c1c2202aba
COSIGN := github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.7
LICENSES := github.com/google/go-licenses@v1.6.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 1m
SOAK ?= 1h
VULNDB ?=

# What conformance-types measures: any folders of the corpus's shape.
SERVERS ?= golden/corpus/servers
HARD ?= golden/corpus/hard
INSTANCES ?= generator/internal/decide/testdata/instances
SUITE ?= $(shell go list -m -f '{{.Dir}}' github.com/google/jsonschema-go)/jsonschema/testdata
ARGS ?=

# How many changes of each keyword compat-table makes.
EDITS ?= 1000

# The race detector needs a C compiler. Without one the tests run all the same.
COMPILER := $(shell go env CC)
RACE := $(if $(shell command -v $(COMPILER)),-race,)

# Rooms whose goroutines share memory: make test runs them with the race detector.
GOROUTINES := ./runtime/attach/... ./runtime/gateway/... ./runtime/live/...

# Without GORACE each server and command of a test that is built with the race detector
# waits a second at its end. With GOGC compilers, commands and servers, which end soon,
# collect less often. make lint vets.
GOTEST := GORACE=atexit_sleep_ms=0 GOGC=400 go test -short -vet=off -timeout 15m

# Which packages make test-race takes, and which scripts make test-scripts: 2/4 is the second
# quarter. The slowest packages come first, so that each part gets some of them.
PART ?= 1/1
SLOW := ./cmd/mcpgen ./golden ./runtime/attach ./generator/impact

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/mcpgen
	go build -o bin/mcpgen ./cmd/mcpgen

.PHONY: demo
demo: ## generate, build and call the quickstart, then upgrade its server and mend the agent
	./examples/quickstart/demo.sh 2>&1 | go run ./golden/pictures

.PHONY: demo-drift
demo-drift: ## upgrade a server under an agent: check names the lines that break
	./examples/drift/demo.sh

.PHONY: test
test: modules ## the tests that need Go alone: unit, golden, command line; the race detector where goroutines are
	@test -n "$(RACE)" || echo "make test: no C compiler ($(COMPILER)), so the race detector is off" >&2
	@$(MAKE) --no-print-directory -j 2 test-goroutines test-others

# The first mostly waits for processes, so both run at the same time.
.PHONY: test-goroutines test-others
test-goroutines:
	$(GOTEST) $(RACE) $(GOROUTINES)
test-others:
	$(GOTEST) $$(go list ./... | grep -vxF "$$(go list $(GOROUTINES))")
	$(GOTEST) -tags mcpgen_lean -run '^TestLean$$' ./runtime/live

# Modules that scripts build with may need go.mod files that a build of this one does not.
.PHONY: modules
modules:
	@go list -m all >/dev/null

.PHONY: test-race
test-race: modules ## every test with the race detector, loads included; PART=1/4 runs a quarter of the packages
	GORACE=atexit_sleep_ms=0 go test $(RACE) -timeout 25m $$({ go list $(SLOW); go list ./...; } | awk '!seen[$$0]++' | .ci/part $(PART))

.PHONY: test-scripts
test-scripts: modules ## the long scripts of the command, which make test leaves out; PART=1/3 runs a third
	go test -count 1 -timeout 25m -run "^TestLongScript\$$/^($$(ls cmd/mcpgen/testdata/long | .ci/part $(PART) | sed 's/[.]txtar//' | paste -sd '|'))\$$" ./cmd/mcpgen

.PHONY: test-kill
test-kill: ## commands killed at every point of a run leave whole files
	go test -count 1 -timeout 15m -run '^TestKilled$$|^TestManyServers$$' ./cmd/mcpgen

.PHONY: test-install
test-install: modules ## README's commands and the guide's blocks, from an empty module (needs the module proxy)
	go test -count 1 -timeout 15m -run '^TestReadme$$' ./golden

.PHONY: nightly
nightly: bin/cosign test-race test-scripts test-kill test-install test-spec conformance-types releases conformance balance test-store seeds test-pages test-adapters test-collector test-clients lint-systems lint-jobs licences apidiff mutants test-release ## what .ci/run takes in turns, whole

.PHONY: test-spec
test-spec: ## a second implementation of schema/SPEC.md, in JavaScript, comes to the hashes of its vectors (needs node)
	node schema/testdata/spec.mjs

.PHONY: test-adapters
test-adapters: ## each adapter alone, in its framework, and runtime/otel (needs the module proxy)
	go test -v -tags adapters -count 1 -timeout 20m -run TestAdapters ./golden

.PHONY: test-collector
test-collector: ## what OpenTelemetry's collector receives from a gateway (needs the module proxy)
	cd golden/collector && go vet ./... && go test -count 1 -timeout 15m ./...

.PHONY: test-peers
test-peers: bin/peers/installed bin/peers/go/installed bin/peers/go/clients ## tests against real servers (needs node, npm and chromium)
	go test -tags peers -count 1 -timeout 20m -skip '^TestClients$$' ./golden/peers/... ./examples/systems

.PHONY: test-clients
test-clients: bin/peers/installed bin/peers/go/installed bin/peers/go/clients ## seven real clients, directly and through a gateway (needs node and npm)
	go test -tags peers -count 1 -timeout 20m -run '^TestClients$$' ./golden/peers

bin/peers/installed: golden/peers/package.json golden/peers/package-lock.json
	mkdir -p bin/peers
	cp golden/peers/package.json golden/peers/package-lock.json bin/peers/
	cd bin/peers && npm ci --no-audit --no-fund
	touch $@

bin/peers/go/installed: golden/peers/programs.txt golden/peers/install-programs.sh
	golden/peers/install-programs.sh bin/peers/go
	touch $@

bin/peers/go/clients: $(wildcard golden/peers/clients/*)
	cd golden/peers/clients && GOFLAGS='' GOWORK=off go build -o $(CURDIR)/$@ .

.PHONY: test-pages
test-pages: bin/pages/installed ## the catalogue in a browser (needs npm and chromium)
	cd golden/pages && go vet ./... && go test -count 1 -timeout 15m ./...

bin/pages/installed: golden/pages/package.json golden/pages/package-lock.json
	mkdir -p bin/pages
	cp golden/pages/package.json golden/pages/package-lock.json bin/pages/
	cd bin/pages && npm ci --no-audit --no-fund
	touch $@

.PHONY: conformance
conformance: bin/conformance-suite/installed build ## the protocol's conformance suite against our client and our gateway (needs npm)
	go build -o bin/conformance-client ./golden/protocol/client
	go run ./golden/protocol
	go build -o bin/conformance-server github.com/modelcontextprotocol/go-sdk/conformance/everything-server
	go run ./golden/protocol -gateway bin/mcpgen -baseline golden/protocol/gateway.txt

bin/conformance-suite/installed: golden/protocol/package.json golden/protocol/package-lock.json
	mkdir -p bin/conformance-suite
	cp golden/protocol/package.json golden/protocol/package-lock.json bin/conformance-suite/
	cd bin/conformance-suite && npm ci --no-audit --no-fund
	touch $@

.PHONY: conformance-types
conformance-types: ## measure generated types on SERVERS, HARD, INSTANCES and SUITE; ARGS=-bench for builds and decoding
	go build -o bin/conformance ./golden/conformance
	bin/conformance -servers "$(SERVERS)" -hard "$(HARD)" -instances "$(INSTANCES)" -suite "$(SUITE)" -numbers golden/corpus/numbers.json $(ARGS)

# What edits measures: snapshots, or listings of the corpus's shape.
EDITED ?= golden/corpus/servers/*.json

.PHONY: edits
edits: ## measure what sixty edits of each listing in EDITED change in code; ARGS=-v prints each
	go run ./golden/edits $(ARGS) $(EDITED)

.PHONY: releases
releases: ## what reports say of releases of real servers, and what is known of them; of call sites, what a run says
	go test -count 1 -v -run '^TestReleases$$|^TestPairsFitAScreen$$' ./cmd/mcpgen/internal/report
	go test -count 1 -v -run '^TestSitesRun$$' ./generator/impact

.PHONY: seeds
seeds: ## which behaviours of the five systems served have no passing test
	go run ./golden/seeds

.PHONY: bench
bench: ## measure what mcpgen costs, as ratios of one run; ARGS="-run calls" for a part of it
	go build -o bin/bench ./golden/bench
	bin/bench -out golden/bench/$$(go env GOOS)-$$(go env GOARCH).txt $(ARGS)

.PHONY: bench-growth
bench-growth: ## measure what ten times the work costs, as exponents
	go build -o bin/bench ./golden/bench
	bin/bench -table growth -out golden/bench/growth-$$(go env GOOS)-$$(go env GOARCH).txt $(ARGS)

.PHONY: bench-peers
bench-peers: bin/bench-peers/installed ## measure other tools on the same work (needs npm)
	go build -o bin/bench ./golden/bench
	bin/bench -table peers -out golden/bench/peers-$$(go env GOOS)-$$(go env GOARCH).txt $(ARGS)

bin/bench-peers/installed: $(wildcard golden/bench/peers/* golden/bench/peers/mcpgo/*)
	golden/bench/peers/install.sh bin/bench-peers
	touch $@

.PHONY: soak
soak: ## load a host with faults for SOAK (1h): nothing may be wrong, grow or be left behind
	go run ./golden/soak -for $(SOAK) -out golden/bench/soak.txt

.PHONY: balance
balance: ## 1,000 callers, three gateways behind haproxy and nginx; servers, a gateway and the balancer end (needs both)
	go run ./golden/balance $(ARGS)

.PHONY: test-store
test-store: ## push, pull and signatures with a real registry, also while it is killed (needs docker-registry)
	PATH="$(CURDIR)/bin:$$PATH" go test -v -tags registry -count 1 -timeout 10m -run '^TestRegistry' ./cmd/mcpgen

bin/cosign:
	GOBIN=$(CURDIR)/bin go install $(COSIGN)

.PHONY: fleet
fleet: ## measure check --fleet with up to 1,000 simulated servers; ARGS="-servers 100" for fewer
	go run ./golden/fleet $(ARGS)

.PHONY: release
release: ## write a release of this commit into bin/release; PLATFORMS="linux/amd64" for a part of it (needs npm)
	.ci/release/build

.PHONY: test-release
test-release: release ## install and run what release wrote, and build it again (needs npm and mmdebstrap)
	go test -v -tags release -count 1 -timeout 60m -run '^TestRelease' ./golden

.PHONY: licences
licences: ## the licences of what the command links are ones that MIT code may link
	@mkdir -p bin
	go run $(LICENSES) check ./cmd/mcpgen --allowed_licenses=MIT,BSD-2-Clause,BSD-3-Clause,Apache-2.0,ISC 2>bin/licences.log || \
		{ grep -v 'non-Go code\|\.s$$' bin/licences.log >&2; exit 1; }

.PHONY: apidiff
apidiff: ## the exported Go names of the last tag are still there
	APIDIFF=$(APIDIFF) .ci/apidiff

.PHONY: promises
promises: ## break each promise of SECURITY.md in a copy: the test that is named has to fail; PART=3/10 takes a tenth
	go run ./golden/mutants -set promises -part $(PART)

.PHONY: mutants
mutants: ## promises, rows of the five systems, and the house: each change has to be noticed; PART=3/10 takes a tenth
	go run ./golden/mutants -part $(PART)

.PHONY: vuln
vuln: ## known vulnerabilities that our code reaches; needs Go's database, or VULNDB=file:///path
	VULNDB="$(VULNDB)" .ci/vuln

.PHONY: compat-table
compat-table: ## hold schema/compat to EDITS changes of each keyword, each way, and print the table; takes long
	MCPGEN_EDITS=$(EDITS) go test -count 1 -timeout 3h -run '^TestEdits$$' -v ./schema/compat | sed -n '/narrow in wide/,$$p'

.PHONY: lint-jobs
lint-jobs: build ## the GitHub jobs of mcpgen ci, in general and of two projects, by actionlint
	@for dir in . examples/quickstart examples/drift; do \
		(cd $$dir && $(CURDIR)/bin/mcpgen ci github) | go run $(ACTIONLINT) -no-color - || exit 1; \
	done

.PHONY: lint
lint: build ## vet, staticcheck, formatting, import edges, generated files
	go vet ./...
	go vet -tags peers ./golden/peers/... ./examples/systems
	go vet -tags mcpgen_lean ./runtime/...
	go vet -tags registry ./cmd/mcpgen
	go run $(STATICCHECK) ./...
	go run $(STATICCHECK) -tags peers ./golden/peers/... ./examples/systems
	@unformatted=$$(git ls-files -z -- '*.go' | xargs -0 gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not formatted, run gofmt -w:" >&2; echo "$$unformatted" >&2; exit 1; fi
	go test -count 1 -run Imports ./golden
	go test -count 1 -run '^TestReference' ./cmd/mcpgen ./schema/drift
	cd examples/quickstart && ../../bin/mcpgen generate --check
	cd examples/drift && ../../bin/mcpgen generate --check
	bin/mcpgen vet ./examples/...

.PHONY: lint-systems
lint-systems: ## vet for Windows and macOS
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...

.PHONY: generate
generate: build ## write the generated files of the examples
	cd examples/quickstart && ../../bin/mcpgen generate
	cd examples/drift && ../../bin/mcpgen generate

.PHONY: docs
docs: ## write the reference pages of the guide
	go test -count 1 -run '^TestReference' ./cmd/mcpgen ./schema/drift -update

.PHONY: pictures
pictures: ## draw README's pictures: a terminal from the demo, and the catalogue (needs chromium)
	./examples/quickstart/demo.sh 2>&1 | go run ./golden/pictures -update
	cd golden/pages && PAGES_KEEP=$(CURDIR)/examples/guide/pictures go test -count 1 -run '^TestPages$$/^picture$$' .

.PHONY: golden
golden: ## rewrite the expected outputs of the tests; read the diff
	go test ./golden ./generator/internal/decide ./runtime/config -update
	UPDATE_SCRIPTS=1 go test ./cmd/mcpgen

.PHONY: rooms
rooms: ## print what each package is for
	@go list -f '{{.ImportPath}}: {{.Doc}}' ./... | grep -v -e /golden/ -e /examples/

.PHONY: names
names: ## count the exported names of public rooms
	@go run ./golden/names

.PHONY: links
links: ## print what programs link: lines, modules, size; the table is in examples/guide/faq.md, rounded
	@go run ./golden/links

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME (1m)
	@for pkg in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "== $$pkg $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done
