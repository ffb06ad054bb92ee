# All programs of a runtime, one file each; the tests, and the linter.
#   make -f build.mk RUNTIME=folder BUILD=folder CRYSTAL=crystal

CRYSTAL ?= crystal
programs := $(basename $(notdir $(wildcard $(RUNTIME)/*.cr)))
# Crystal asks pkg-config, which may not be there, and falls back to a library that Debian 13 has no more; 1.6 knows no choice.
pcre := $(shell echo 'int main(void) { return 0; }' | cc -x c -o /dev/null - -lpcre2-8 2>/dev/null && echo -Duse_pcre2)
# What is known of programs that were compiled before; its place by default is one for all of a user's builds.
export CRYSTAL_CACHE_DIR = $(BUILD)/cache

.PHONY: all test lint
all: $(programs:%=$(BUILD)/%)
	rm -r '$(BUILD)/cache'

$(programs:%=$(BUILD)/%): $(BUILD)/%: $(RUNTIME)/%.cr $(wildcard harness/*.cr)
	mkdir -p '$(BUILD)'
	$(CRYSTAL) build $(pcre) --release --no-debug -o '$@' '$<'

# Without optimisation, which takes most of the time.
tested := spawn spawn-chain tree fan-in hand-off ring switch cancel memory io-switch failing \
	burst ticker channel mutex sleep-zero generator cancel-loaded semaphore select scope
$(tested:%=$(BUILD)/tested/%): $(BUILD)/tested/%: $(wildcard harness/*.cr fiber/*.cr spec/*.cr)
	mkdir -p '$(BUILD)/tested'
	$(CRYSTAL) build $(pcre) -o '$@' $(firstword $(wildcard fiber/$*.cr spec/$*.cr))

test: $(tested:%=$(BUILD)/tested/%)
	PROGRAMS='$(BUILD)/tested' $(CRYSTAL) spec $(pcre) --error-on-warnings

lint:
	mkdir -p '$(BUILD)'
	$(CRYSTAL) tool format --check .
	for file in fiber/*.cr; do $(CRYSTAL) build --no-codegen --error-on-warnings "$$file" || exit; done
