# One way of doing things, for people and for CI. `make help` lists it. Variables: make test BUILD=build-x JOBS=1
SHELL := /bin/bash
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

BUILD      ?= build
BUILD_TYPE ?= Release
WERROR     ?= OFF
WEB        ?= AUTO
JOBS       ?= $(shell nproc 2>/dev/null || echo 2)
SETUP      ?= yes
PREFIX     ?= /usr/local
SCENARIO   ?= ditch
ARGS       ?=
PEER       ?= *
CTEST_ARGS ?=
SECONDS    ?= 600
PROGRAM    := $(BUILD)/bin/hardpan

# $(call setup,GROUP...): packages, unless SETUP=no.
setup = $(if $(filter no,$(SETUP)),@true,@tools/setup.sh $(1))

# $(call configure,FOLDER,OPTIONS): the generator is chosen the first time only, CMake keeps it afterwards.
# Warnings and errors of CMake come by stderr.
configure = @generator=; if [ ! -f $(1)/CMakeCache.txt ] && command -v ninja >/dev/null; then generator='-G Ninja'; fi; \
	cmake -S . -B $(1) $$generator $(2) >/dev/null

options = -DCMAKE_BUILD_TYPE=$(BUILD_TYPE) -DHARDPAN_WERROR=$(WERROR) -DHARDPAN_WEB=$(WEB)
# The program needs no test packages. A folder once configured for tests stays so, but only the program is built.
without_tests = $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DHARDPAN_TESTS=OFF)
browser_environment = HARDPAN=$(abspath $(PROGRAM)) HARDPAN_MAKE_RESULT=$(abspath $(BUILD))/bin/hardpan_make_result \
  HARDPAN_NODE_MODULES=$(abspath $(BUILD))/web/node_modules HARDPAN_PICTURES=$(abspath $(BUILD))/pictures
# Those that tests/browser/harness.mjs looks for.
browsers = chromium chromium-browser google-chrome google-chrome-stable
yaml_in = $(wildcard $(1)/*.yaml $(1)/*/*.yaml)

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: build
build: ## Build the program, build/bin/hardpan, without tests
	$(call setup,build)
	$(call configure,$(BUILD),$(options) $(without_tests))
	@cmake --build $(BUILD) --target hardpan_app -j $(JOBS)

.PHONY: run
run: build ## Build the program and run a scenario: make run SCENARIO=four-bar ARGS="--threads 2"
	$(PROGRAM) run $(SCENARIO) --out runs/$(notdir $(basename $(SCENARIO))) --force $(ARGS)

.PHONY: test-build
test-build: ## Build everything, tests included
	$(call setup,test)
	$(call configure,$(BUILD),$(options) -DHARDPAN_TESTS=ON)
	@cmake --build $(BUILD) -j $(JOBS)

.PHONY: test
test: test-build ## Build and run all tests: make test CTEST_ARGS="-R Parallel"
	@command -v $(browsers) >/dev/null || \
	  echo "browser tests: SKIPPED, no Chromium here (tools/setup.sh browser installs it)"
	@ctest --test-dir $(BUILD) --output-on-failure --no-label-summary -j $(JOBS) $(CTEST_ARGS)

.PHONY: check
check: build ## Run the acceptance scenarios: hardpan check scenarios/verify
	$(PROGRAM) check scenarios/verify $(ARGS)

.PHONY: validate
validate: build ## Compare with published results, for hours: make validate [ARGS="--only quartz-1800"]
	tests/validation/validate.py --program $(PROGRAM) $(ARGS)

.PHONY: bench
bench: ## Measure parts (bench/*_bench.cpp), piles beside Bullet, solvers: make bench [ARGS=--benchmark_filter=Solve]
ifeq ($(wildcard bench/*_bench.cpp),)
	@echo "bench: there is no bench/*_bench.cpp, so there is nothing to measure"
else
	$(call setup,bench)
	$(call configure,build-bench,-DCMAKE_BUILD_TYPE=Release -DHARDPAN_TESTS=OFF -DHARDPAN_BENCH=ON)
	@cmake --build build-bench --target hardpan_benches hardpan_app -j $(JOBS)
	build-bench/bin/hardpan_bench $(ARGS)
ifeq ($(ARGS),)
	build-bench/bin/hardpan_bench_solvers build-bench/solvers.svg
	build-bench/bin/hardpan_bench_piles
	build-bench/bin/hardpan_bench_beds
	bench/skids.py --program build-bench/bin/hardpan
	bench/quikrete.py --program build-bench/bin/hardpan
endif
endif

.PHONY: bench-beds
bench-beds: ## Measure soft grains at rest and in motion, in turns: make bench-beds [ARGS="--only bed-50000,silo"]
	$(call setup,bench)
	$(call configure,build-bench,-DCMAKE_BUILD_TYPE=Release -DHARDPAN_TESTS=OFF -DHARDPAN_BENCH=ON)
	@cmake --build build-bench --target hardpan_bench_beds -j $(JOBS)
	build-bench/bin/hardpan_bench_beds $(ARGS)

.PHONY: bench-roofline
bench-roofline: ## Count what soft grains ask of a core, beside what it can do: make bench-roofline
	$(call setup,bench)
	$(call configure,build-bench,-DCMAKE_BUILD_TYPE=Release -DHARDPAN_TESTS=OFF -DHARDPAN_BENCH=ON)
	@cmake --build build-bench --target hardpan_bench_roofline -j $(JOBS)
	bench/roofline.py $(ARGS)

.PHONY: bench-view
bench-view: test-build ## Measure the viewer in a headless browser: first picture, pictures per second
	$(call setup,browser)
	@$(browser_environment) node tests/browser/bench.mjs

.PHONY: bench-peers
bench-peers: ## Measure against other engines (bench/peers/*.sh; installs them): make bench-peers [PEER=grains ARGS="--counts 1800"]
ifeq ($(wildcard bench/peers/$(PEER).sh),)
	@echo "bench-peers: there is no bench/peers/$(PEER).sh, so there is nothing to compare with"
else
	@$(MAKE) build
	@set -e; for script in $(sort $(wildcard bench/peers/$(PEER).sh)); do echo "== $$script"; PROGRAM=$(PROGRAM) bash $$script $(ARGS); done
endif

.PHONY: sabotage
sabotage: ## Plant the faults of tests/sabotage/faults.txt one by one; a test must catch each
	$(call setup,test)
	@python3 tools/sabotage.py --jobs $(JOBS) $(ARGS)

.PHONY: fuzz
fuzz: ## Feed random input to the parsers (tests/fuzz/*_fuzz.cpp): make fuzz SECONDS=60
ifeq ($(wildcard tests/fuzz/*_fuzz.cpp),)
	@echo "fuzz: there is no tests/fuzz/*_fuzz.cpp, so there is nothing to feed"
else
	$(call setup,fuzz)
	$(call configure,build-fuzz,-DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo -DHARDPAN_TESTS=OFF \
	  -DHARDPAN_FUZZ=ON -DHARDPAN_SANITIZE=fuzzer-no-link$(comma)address$(comma)undefined)
	@cmake --build build-fuzz --target hardpan_fuzzers -j $(JOBS)
	@tests/fuzz/run.sh build-fuzz $(SECONDS)
endif
comma := ,

.PHONY: asan
asan: ## Build and run all tests under the address and undefined-behaviour sanitizers, in build-asan
	$(call setup,test)
	@cmake --preset asan-ubsan >/dev/null
	@cmake --build --preset asan-ubsan -j $(JOBS)
	@UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	  ctest --test-dir build-asan --output-on-failure --no-label-summary -j $(JOBS) $(CTEST_ARGS)

.PHONY: install
install: build ## Install program, library and scenarios: make install PREFIX=/usr DESTDIR=/tmp/package
	DESTDIR=$(abspath $(DESTDIR)) cmake --install $(BUILD) --prefix $(PREFIX) >/dev/null
	@echo "installed below $(DESTDIR)$(PREFIX)"

# Debian 12's clang-format is version 14; other versions differ in details.
formatted = $(shell find hardpan bench examples tests -name '*.h' -o -name '*.cpp' 2>/dev/null)
clang_format = $$(command -v clang-format-14 || command -v clang-format || echo clang-format)

.PHONY: format
format: ## Format the C++ sources in place
	@$(clang_format) -i $(formatted)

.PHONY: format-check
format-check: ## Fail when a C++ source is not formatted
	@$(clang_format) --dry-run --Werror $(formatted)

.PHONY: docs
docs: build ## Make the generated pages below docs/ again (pictures: make pictures)
	$(PROGRAM) manual > docs/reference/scenario.md
	$(PROGRAM) schema > docs/reference/scenario.schema.json

.PHONY: pictures
pictures: test-build ## Make the pictures of README and docs again, by hardpan shot and a headless browser
	$(call setup,browser)
	$(PROGRAM) run triple-pendulum --out $(BUILD)/docs/triple-pendulum --force --quiet
	$(PROGRAM) shot $(BUILD)/docs/triple-pendulum --time 1.2 --field bodies/velocity --size 1200x600 \
	  --camera 1.0,-3.3,0.1,0,0,-0.75 --out docs/images/triple-pendulum.png
	$(PROGRAM) run ditch --out $(BUILD)/docs/ditch --force --quiet
	$(PROGRAM) shot $(BUILD)/docs/ditch --time 5.2 --size 1200x600 --layers '-joint axes' \
	  --camera -0.6,-2.5,1.7,0.1,0,0.1 --out docs/images/ditch.png
	$(PROGRAM) run cart --out $(BUILD)/docs/cart --force --quiet
	$(PROGRAM) shot $(BUILD)/docs/cart --time 3.7 --size 1200x600 --layers '-joint axes' \
	  --camera 2.0,-5.0,2.2,5.2,0,0.3 --out docs/images/cart.png
	$(PROGRAM) shot $(BUILD)/docs/cart --time 5.4 --size 1200x600 --layers '-joint axes' \
	  --camera 4.6,-4.6,2.2,7.6,0,0.5 --out docs/images/cart-ramp.png
	$(PROGRAM) run contact-avalanche --out $(BUILD)/docs/avalanche --force --quiet
	$(PROGRAM) shot $(BUILD)/docs/avalanche --time 1.2 --size 1200x600 \
	  --camera 1.0,-5.0,2.4,0.4,0,0.4 --out docs/images/avalanche.png
	$(PROGRAM) run grains-shear-incremental --out $(BUILD)/docs/shear --force --quiet
	$(PROGRAM) shot $(BUILD)/docs/shear --size 1200x600 --camera 0.02,-0.14,0.07,0,0,0.03 --field grains/velocity.x \
	  --out docs/images/shear-box.png
	$(PROGRAM) shot $(BUILD)/docs/shear --size 1200x600 --camera 0.02,-0.14,0.07,0,0,0.03 --layers '+force chains,-grains' \
	  --out docs/images/force-chains.png
	$(PROGRAM) material clay --steps 100 --out $(BUILD)/docs/clay --force --quiet
	for name in surface triaxial oedometer; do cp $(BUILD)/docs/clay/$$name.svg docs/images/soil-clay-$$name.svg; done
	@$(browser_environment) node tests/browser/pictures.mjs $(abspath $(BUILD))/docs/triple-pendulum docs/images

.PHONY: clean
clean: ## Remove every build folder (runs/ stays)
	rm -rf build build-*
