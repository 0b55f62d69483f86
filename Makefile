# Needs only make, bash, tar and Node.js with npm. Older Node? A newer one is fetched into .cache/.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

NODE_LEAST := 24
DENO_MAJOR := 2

platform := $(shell uname -s)-$(shell uname -m | sed 's/^x86_64$$/x64/; s/^aarch64$$/arm64/')
arch := $(patsubst Linux-%,%,$(filter Linux-x64 Linux-arm64,$(platform)))
# The packages of the runtimes that are fetched, and their folders, which end with the version.
runtimes := $(foreach each,$(shell cat .ci/runtimes.txt),$(if $(findstring -$(arch),$(each)),$(each)))
node_packages := $(filter node-%,$(runtimes))
node_package := $(firstword $(node_packages))
deno_package := $(filter @deno/%,$(runtimes))
node_folders := $(foreach each,$(node_packages),.cache/runtime/node-$(lastword $(subst @, ,$(each))))
node_folder := $(firstword $(node_folders))
deno_folder := .cache/runtime/deno-$(lastword $(subst @, ,$(deno_package)))

# A text, since numbers may be printed in colour.
node_found := $(shell node -p 'process.versions.node.split(".")[0]' 2>/dev/null)
ifeq ($(shell [ "0$(node_found)" -ge $(NODE_LEAST) ] && echo yes),yes)
  node :=
else ifeq ($(arch),)
  node := no-node
else
  node := $(node_folder)/node_modules/node-linux-$(arch)/bin/node
  export PATH := $(CURDIR)/$(dir $(node)):$(PATH)
endif

deno_found := $(shell deno --version 2>/dev/null | sed -n 's/^deno \([0-9]*\).*/\1/p')
ifeq ($(deno_found),$(DENO_MAJOR))
  deno :=
else ifeq ($(arch),)
  deno := no-deno
else
  deno := $(deno_folder)/node_modules/@deno/linux-$(arch)-glibc/deno
endif
run_deno := $(if $(MAKE_TERMOUT),,NO_COLOR=1) DENO_DIR=.cache/deno DENO_NO_UPDATE_CHECK=1 $(or $(deno),deno)
installed := node_modules/.installed
# The packages that the service needs are all that `make run` installs, unless all are installed.
production := $(if $(wildcard $(installed)),$(installed),node_modules/.installed-production)
tap_built := node_modules/.tap-built
bench_installed := test/bench/node_modules/.installed
openapi_installed := test/soak/openapi/node_modules/.installed
mutate_installed := test/mutate/node_modules/.installed

# tap notes where the clone is, so one that was moved or copied has to be prepared again.
tap_moved := $(shell [ "$$(cat $(tap_built) 2>/dev/null)" = "$$(pwd -P)" ] || echo tap-moved)
# Packages of tests are installed whatever NODE_ENV and npm's own settings say.
npm_ci := npm ci --include=dev --loglevel=error
# Adds the packages that are missing: a service that runs keeps those that it uses.
npm_add := npm add --include=dev --include=optional --no-save --loglevel=error
# An older Node.js installs these as well as the one that is fetched meanwhile.
npm_production := npm ci --omit=dev --omit=optional --engine-strict=false --no-progress --loglevel=error
# npm keeps its downloads in the home folder, or here if it cannot write to that.
ifneq ($(shell cache="$${npm_config_cache:-$${HOME:-}/.npm}"; [ -d "$$cache" ] || cache=$$(dirname "$$cache"); [ -d "$$cache" -a -w "$$cache" ] && echo writable),writable)
  export npm_config_cache := $(CURDIR)/.cache/npm
endif
# With it, bash would print the folders that scripts change to.
unexport CDPATH

# Concurrent makes wait for each other's installation, and then use it.
lock = mkdir -p .cache; exec 9>.cache/lock$1; ! command -v flock >/dev/null || flock 9;
# True for a file that is there, and newer than what packages depend on.
current = [ $1 -nt package.json -a $1 -nt package-lock.json ]

.PHONY: help
help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: ## Serve with demo data; set HOST, PORT, DATABASE_URL, CONFIG, SESSION_SECRET to change it; DEMO_LIVE=false leaves the data alone, LOG=- prints the log
	@.ci/progress $(MAKE) -s -j2 $(node) $(production)
	@exec node core/main.js demo .data $(if $(filter -,$(LOG)),--log -)

.PHONY: test
test: $(if $(FILES),,check) $(tap_built) $(deno) ## Check, then run the everyday tests; FILES="test/a.test.ts" runs only those, TEST="part of a name" only those tests
	@$(if $(findstring openapi,$(FILES)),$(MAKE) $(openapi_installed);) DENO="$(or $(deno),deno)" exec node test/runner/run.ts $(FILES)

.PHONY: soak
soak: $(tap_built) $(openapi_installed) $(deno) ## Run what starts processes, clusters and browsers; STAGE="chaos cluster" runs only those stages
	@node_modules/.bin/tsc --noEmit -p test/soak/openapi
	@SOAK="$(or $(STAGE),all)" DENO="$(or $(deno),deno)" exec node test/runner/run.ts

.PHONY: quick
quick: ## Check, and meanwhile run the everyday tests on the embedded database
	@$(MAKE) -j2 $(if $(filter output-sync,$(.FEATURES)),-Otarget) check quick-tests

.PHONY: quick-tests
quick-tests: $(installed) $(tap_built)
	@QUICK=1 exec node test/runner/run.ts $(FILES)

.PHONY: watch
watch: $(installed) ## Run FILES="test/a.test.ts" on the embedded database, and again after each change
	@[ -n "$(FILES)" ] || { echo 'which files? make watch FILES="test/a.test.ts"' >&2; exit 1; }
	@exec node --test --watch --test-reporter=spec $(FILES)

.PHONY: shell
shell: $(node) $(deno) ## Print the lines that put this Node and Deno on PATH: eval "$(make shell)"
	@for folder in $(dir $(node) $(deno)); do printf 'export PATH=%q:"$$PATH"\n' "$$PWD/$$folder"; done

.PHONY: pack-test
pack-test: $(installed) $(tap_built) | $(node_folders) ## Run the everyday tests against the packed package, on each Node.js of .ci/runtimes.txt; NODES=24 takes only that, FILES and TEST as for make test
	@for folder in $(foreach each,$(or $(NODES),24 26),$(filter .cache/runtime/node-$(each).%,$(node_folders))); do \
		PATH="$$PWD/$$folder/node_modules/node-linux-$(arch)/bin:$$PATH" node test/soak/package/run-packed.ts $(FILES); done

.PHONY: bench
bench: $(installed) $(bench_installed) ## Compare with a hand-written server; ARGS="--case empty-poll", more with ARGS=--help
	@node_modules/.bin/tsc --noEmit -p test/bench
	@exec node test/bench/bench.ts $(ARGS)

.PHONY: mutate
mutate: $(installed) $(tap_built) $(mutate_installed) ## Change FILES="core/networks.ts" in many small ways, and list the changes that no test notices; TESTS="test/a.test.ts" runs only those tests, LEAST=90 is the score that passes
	@[ -n "$(FILES)" ] || { echo 'change which files? make mutate FILES="core/networks.ts"' >&2; exit 1; }
	@node_modules/.bin/tsc --noEmit -p test/mutate
	@TESTS="$(TESTS)" LEAST="$(LEAST)" exec node test/mutate/mutate.ts $(FILES)

.PHONY: simulate
simulate: $(installed) ## Simulate everything together for a minute, days in seconds; SEED=7 DAYS=7 simulates that, more with ARGS=--help
	@exec node test/soak/simulation/simulate.ts $(if $(SEED),--seed $(SEED)) $(if $(DAYS),--days $(DAYS)) $(ARGS)

.PHONY: chaos
chaos: $(tap_built) ## Kill, freeze and fill services and their MySQL; SOAK_SECONDS=600 SEED=7 FAULTS=kill-service,reload
	@exec node --import=./test/runner/preload.ts test/soak/chaos/chaos.test.ts

.PHONY: cluster
cluster: $(tap_built) ## Kill, pause and disconnect servers of MySQL clusters; SOAK_SECONDS=600 SEED=7 TOPOLOGY=group FAULTS=kill,pause
	@exec node --import=./test/runner/preload.ts test/soak/cluster/cluster.test.ts

.PHONY: upgrade
upgrade: $(tap_built) ## Upgrade two services under load and roll back; SOAK_SECONDS=8 SEED=7 PREVIOUS=event-export-1.3.0.tgz
	@exec node --import=./test/runner/preload.ts test/soak/upgrade/upgrade.test.ts

.PHONY: record
record: $(installed) ## Write down what this version promises, for the tests of the next ones; once per release
	@exec node test/releases/record.ts

.PHONY: torture
torture: $(tap_built) ## Kill the client for partners while a proxy breaks responses; KILLS=200 SEED=7
	@exec node --import=./test/runner/preload.ts test/soak/walks/pull-torture.test.ts

.PHONY: check
check: $(installed) $(deno) ## Check types (also on Deno), lint rules and format
	@echo "checking types"; node_modules/.bin/tsc --noEmit --incremental --tsBuildInfoFile .cache/types.tsbuildinfo
	@echo "checking types on Deno"; $(run_deno) check --quiet core/main.js core/cli/main.ts
	@echo "checking lint rules"; $(run_deno) lint --quiet
	@echo "checking format"; $(run_deno) fmt --check || { echo "\"make fmt\" corrects the format"; exit 1; }

.PHONY: package
package: $(installed) ## Pack the npm package into .cache/package
	@mkdir -p .cache/package; npm pack --silent --no-update-notifier --pack-destination .cache/package

.PHONY: verify-release
verify-release: $(installed) ## Build the package of this commit again, and compare it with FILE=event-export-2.0.0.tgz, bit for bit
	@exec node test/soak/package/verify-release.ts "$(FILE)"

.PHONY: sbom
sbom: package ## Write the bill of materials of the package (CycloneDX) into .cache/package
	@# npm names the package after its folder.
	@mkdir -p .cache/package/event-export; cp package.json package-lock.json .cache/package/event-export; \
	npm sbom --prefix .cache/package/event-export --sbom-format=cyclonedx --sbom-type=application --omit=dev \
		--package-lock-only --loglevel=error >.cache/package/event-export.cdx.json; \
	rm -r .cache/package/event-export; echo .cache/package/event-export.cdx.json

.PHONY: fmt
fmt: $(deno) ## Format the code
	@$(run_deno) fmt

.PHONY: image
image: package ## Build the container image with docker or podman; PUBLIC=1 pulls its bases, else they are made of Debian's packages
	@config/deploy/build-image.sh $(if $(PUBLIC),--public) \
		".cache/package/event-export-$$(node -p 'require("./package.json").version').tgz"

.PHONY: image-test
image-test: $(tap_built) ## Build the image, and start it and config/deploy/compose.yaml; ENGINE=podman, PULL=1 takes public images
	@CONTAINERS=1 exec node test/runner/run.ts test/soak/programs/image.test.ts test/soak/programs/compose-up.test.ts

.PHONY: install
install: $(installed) ## Install the packages; other targets do this when needed

.PHONY: clean
clean: ## Remove everything that was fetched or built, but not .data (secret, demo data)
	@rm -rf node_modules test/bench/node_modules test/soak/openapi/node_modules test/mutate/node_modules .cache .tap

$(installed): package.json package-lock.json | $(node) npm
	@$(lock) if ! $(call current,$@); then echo "installing packages"; \
		if $(call current,$@-production); then $(npm_add); else $(npm_ci); fi; touch $@; fi

$(installed)-production: package.json package-lock.json | npm
	@$(lock) if ! $(call current,$@) && ! $(call current,$(installed)); then \
		echo "installing packages"; $(npm_production) | sed /^$$/d; touch $@; fi

$(bench_installed): test/bench/package.json test/bench/package-lock.json | $(node) npm
	@$(lock) if ! [ $@ -nt test/bench/package.json -a $@ -nt test/bench/package-lock.json ]; then \
		echo "installing the packages of the bench"; $(npm_ci) --prefix test/bench; touch $@; fi

$(openapi_installed): test/soak/openapi/package.json test/soak/openapi/package-lock.json | $(node) npm
	@$(lock) if ! [ $@ -nt test/soak/openapi/package.json -a $@ -nt test/soak/openapi/package-lock.json ]; then \
		echo "installing the packages of the OpenAPI tests"; $(npm_ci) --prefix test/soak/openapi; touch $@; fi

$(mutate_installed): test/mutate/package.json test/mutate/package-lock.json | $(node) npm
	@$(lock) if ! [ $@ -nt test/mutate/package.json -a $@ -nt test/mutate/package-lock.json ]; then \
		echo "installing the packages of make mutate"; $(npm_ci) --prefix test/mutate; touch $@; fi

$(tap_built): $(installed) .taprc $(tap_moved)
	@$(lock) if ! [ $@ -nt $(installed) -a $@ -nt .taprc -a "$$(cat $@ 2>/dev/null)" = "$$(pwd -P)" ]; then \
		echo "preparing the test runner"; node_modules/.bin/tap build >/dev/null; pwd -P >$@; fi

.PHONY: tap-moved
tap-moved:

.cache/runtime/node-%: | npm
	@$(call lock,-runtime) if ! [ -x $@ ]; then \
		version="$(firstword $(subst /, ,$*))"; \
		echo "fetching Node.js $$version into .cache (found here: $(or $(node_found),none))" >&2; \
		.ci/fetch-runtime ".cache/runtime/node-$$version" "node-linux-$(arch)@$$version"; fi

.cache/runtime/deno-%: | npm
	@$(call lock,-runtime) if ! [ -x $@ ]; then \
		echo "fetching $(deno_package) into .cache" >&2; \
		.ci/fetch-runtime $(deno_folder) $(deno_package); fi

.PHONY: npm
npm:
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js $(NODE_LEAST) or newer with npm" >&2; exit 1; }

.PHONY: no-node no-deno
no-node:
	@echo "Node.js $(NODE_LEAST) or newer is needed (found: $(or $(node_found),none)): install it" >&2; exit 1
no-deno:
	@echo "Deno $(DENO_MAJOR) is needed for formatting and lint rules: install it" >&2; exit 1
