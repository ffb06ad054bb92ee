# Builds the programs of one runtime into BUILD: make --file=build.mk ROOT=... RUNTIME=... BUILD=... GHC=...
# Its runtime.mk says with which RTS they are linked: the objects are the same for all. BIN is where the programs go.
# test runs each runtime that is here; lint compiles everything with warnings as errors, but for what a newer GHC deprecates.

# make has no names with spaces, and the checkout may lie in such a folder: what lies in it (ROOT) is named from here.
near = $(if $(ROOT),$(subst $(ROOT)/,../,$(1)),$(1))
override RUNTIME := $(call near,$(RUNTIME))
override BUILD := $(call near,$(BUILD))

BIN ?= $(BUILD)
# What test and lint make stays from one time to the next, and another GHC can't link it.
kept = $(BUILD)/$(shell "$(GHC)" --numeric-version)
strict :=
optimised := -O2
ifneq ($(RUNTIME),)
include $(RUNTIME)/runtime.mk
endif

# Nothing but what comes with GHC, whatever packages the user has.
packages := $(addprefix -package ,base array bytestring containers process stm)
flags := -v0 $(optimised) -Wall -Wcompat -Wincomplete-record-updates -Wincomplete-uni-patterns -Wredundant-constraints $(strict) \
	-no-user-package-db -package-env=- -hide-all-packages $(packages)

harness := $(wildcard harness/*.hs)
parts := $(patsubst harness/%.hs,$(BUILD)/objects/%.o,$(harness))
programs := $(basename $(notdir $(wildcard task/*.hs))) $(patsubst task/limit/%.hs,limit-%,$(wildcard task/limit/*.hs))
tests := $(basename $(notdir $(wildcard test/*.hs)))

.PHONY: all suite test lint objects
all: $(addprefix $(BIN)/,$(programs))

# The tests, and the programs, most of which they start.
suite: $(addprefix $(BIN)/,$(tests) $(programs))
	$(BIN)/tests $(BIN)

test:
	set -e; for runtime in $(patsubst %/runtime.mk,%,$(wildcard */runtime.mk)); do \
		$(MAKE) --file=build.mk suite RUNTIME=$$runtime BUILD=$(kept) BIN=$(kept)/$$runtime GHC="$(GHC)"; done

objects: $(patsubst %,$(BUILD)/objects/%.o,$(programs) $(tests))

lint:
	$(MAKE) --file=build.mk objects strict='-Werror -Wwarn=deprecations' optimised=-O0 BUILD=$(kept) GHC="$(GHC)"

# All modules of the harness at once: GHC finds out what is to be compiled anew.
$(BUILD)/objects/harness: $(harness) build.mk
	@mkdir -p $(BUILD)/objects
	"$(GHC)" $(flags) --make -outputdir $(BUILD)/objects $(harness)
	@touch $@

# One by one, because all of them are the module Main.
compile = "$(GHC)" $(flags) -c -i$(BUILD)/objects -ohi $(@:.o=.hi) -stubdir $(BUILD)/objects -o $@ $<

$(BUILD)/objects/%.o: task/%.hs $(BUILD)/objects/harness
	$(compile)

$(BUILD)/objects/limit-%.o: task/limit/%.hs $(BUILD)/objects/harness
	$(compile)

$(BUILD)/objects/%.o: test/%.hs $(BUILD)/objects/harness
	$(compile)

$(addprefix $(BIN)/,$(programs) $(tests)): $(BIN)/%: $(BUILD)/objects/%.o
	@mkdir -p $(BIN)
	"$(GHC)" $(flags) $(rts) -o $@ $< $(parts)

.SECONDARY:
