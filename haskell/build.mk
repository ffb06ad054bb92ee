# Builds the programs of one runtime into BIN: make --file=build.mk ROOT=... RUNTIME=... BUILD=... BIN=... GHC=...
# Its runtime.mk says with which RTS they are linked: the objects, which lie in BUILD, are the same for all.
# test runs each runtime that is here; lint compiles everything with warnings as errors, but for what a newer GHC deprecates.

# make has no names with spaces, and the checkout may lie in such a folder: what lies in it (ROOT) is named from here.
near = $(if $(ROOT),$(subst $(ROOT)/,../,$(1)),$(1))
override RUNTIME := $(call near,$(RUNTIME))
override BUILD := $(call near,$(BUILD))
override BIN := $(call near,$(BIN))

# They stay from one time to the next, and another GHC can't link them.
kept := $(BUILD)/$(shell "$(GHC)" --numeric-version)
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
parts := $(patsubst harness/%.hs,$(kept)/%.o,$(harness))
programs := $(basename $(notdir $(wildcard task/*.hs))) $(patsubst task/limit/%.hs,limit-%,$(wildcard task/limit/*.hs))
tests := $(basename $(notdir $(wildcard test/*.hs)))

.PHONY: all suite test lint objects
all: $(addprefix $(BIN)/,$(programs))

# The tests, and the programs, most of which they start.
suite: $(addprefix $(BIN)/,$(tests) $(programs))
	$(BIN)/tests $(BIN)

test:
	set -e; for runtime in $(patsubst %/runtime.mk,%,$(wildcard */runtime.mk)); do \
		$(MAKE) --file=build.mk suite RUNTIME=$$runtime BUILD=$(BUILD) BIN=$(kept)/$$runtime GHC="$(GHC)"; done

objects: $(patsubst %,$(kept)/%.o,$(programs) $(tests))

lint:
	$(MAKE) --file=build.mk objects strict='-Werror -Wwarn=deprecations' optimised=-O0 BUILD=$(BUILD) GHC="$(GHC)"

# All modules of the harness at once: GHC finds out what is to be compiled anew.
$(kept)/harness: $(harness) build.mk
	@mkdir -p $(kept)
	"$(GHC)" $(flags) --make -outputdir $(kept) $(harness)
	@touch $@

# One by one, because all of them are the module Main.
compile = "$(GHC)" $(flags) -c -i$(kept) -ohi $(@:.o=.hi) -stubdir $(kept) -o $@ $<

$(kept)/%.o: task/%.hs $(kept)/harness
	$(compile)

$(kept)/limit-%.o: task/limit/%.hs $(kept)/harness
	$(compile)

$(kept)/%.o: test/%.hs $(kept)/harness
	$(compile)

$(addprefix $(BIN)/,$(programs) $(tests)): $(BIN)/%: $(kept)/%.o
	@mkdir -p $(BIN)
	"$(GHC)" $(flags) $(rts) -o $@ $< $(parts)

.SECONDARY:
