# All programs in one file, which has a name for each of them; startup; the tests, and the linter.
#   make -f build.mk BUILD=folder CRYSTAL=crystal

CRYSTAL ?= crystal
programs := $(filter-out startup,$(basename $(notdir $(wildcard fiber/*.cr))))
sources := $(wildcard programs.cr harness/*.cr fiber/*.cr)
# Crystal asks pkg-config, which may not be there, and falls back to a library that Debian 13 has no more; 1.6 knows no choice.
pcre := $(shell echo 'int main(void) { return 0; }' | cc -x c -o /dev/null - -lpcre2-8 2>/dev/null && echo -Duse_pcre2)
# What is known of programs that were compiled before; its place by default is one for all of a user's builds.
export CRYSTAL_CACHE_DIR = $(BUILD)/cache

# The file is given the name of every program.
name = for name in $(programs); do ln -f '$(1)/programs' "$(1)/$$name" || exit; done

.PHONY: all test lint
all: $(BUILD)/programs $(BUILD)/startup
	$(call name,$(BUILD))
	rm -r '$(BUILD)/cache' '$(BUILD)/programs'

$(BUILD)/programs: $(sources)
	mkdir -p '$(BUILD)'
	$(CRYSTAL) build $(pcre) --release --no-debug -Dtogether -o '$@' programs.cr

$(BUILD)/startup: $(sources)
	mkdir -p '$(BUILD)'
	$(CRYSTAL) build $(pcre) --release --no-debug -o '$@' fiber/startup.cr

# Without optimisation, which takes most of the time.
$(BUILD)/tested/programs: $(sources)
	mkdir -p '$(BUILD)/tested'
	$(CRYSTAL) build $(pcre) -Dtogether -o '$@' programs.cr
	$(call name,$(BUILD)/tested)

$(BUILD)/tested/failing: $(sources) spec/failing.cr
	mkdir -p '$(BUILD)/tested'
	$(CRYSTAL) build $(pcre) -o '$@' spec/failing.cr

test: $(BUILD)/tested/programs $(BUILD)/tested/failing
	PROGRAMS='$(BUILD)/tested' $(CRYSTAL) spec $(pcre) --error-on-warnings

lint:
	mkdir -p '$(BUILD)'
	$(CRYSTAL) tool format --check .
	$(CRYSTAL) build --no-codegen --error-on-warnings -Dtogether programs.cr
	$(CRYSTAL) build --no-codegen --error-on-warnings fiber/startup.cr
