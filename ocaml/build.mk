# All programs of a runtime, one file each; the tests, and the linter.
#   make -f build.mk RUNTIME=folder BUILD=folder OCAMLOPT=ocamlopt

OCAMLOPT ?= ocamlopt
# A dash is no part of a module's name, and a program is a module that nobody names.
FLAGS := -w +a-4-9-24-40-41-42-44-45-70 -warn-error +a
# Libraries lie beside the compiler's own, or, where opam puts them, a folder up.
where := $(shell $(OCAMLOPT) -where)
folders := $(wildcard $(foreach at,$(where) $(where)/..,$(foreach of,lwt lwt/unix ocplib-endian ocplib-endian/bigstring,$(at)/$(of))))
LIBRARIES := unix.cmxa threads.cmxa ocplib_endian.cmxa ocplib_endian_bigstring.cmxa lwt.cmxa lwt_unix.cmxa
INCLUDES := -I +threads $(folders:%=-I %)
harness := arguments program parking load crowd players

programs := $(basename $(notdir $(wildcard $(RUNTIME)/*.ml)))

.PHONY: all test lint
all: $(programs:%=$(BUILD)/%)

# The compiler leaves what it makes beside the source: the sources go into the folder first.
$(BUILD)/harness/players.cmx: $(wildcard harness/*)
	rm -rf '$(BUILD)/harness' && mkdir -p '$(BUILD)/harness' && cp $^ '$(BUILD)/harness/'
	cd '$(BUILD)/harness' && $(OCAMLOPT) -c -ccopt '-O2 -Wall -Wextra -Werror' clocks.c && $(OCAMLOPT) $(FLAGS) $(INCLUDES) -c $(harness:%=%.ml)

# A program may have the name of a module of the library's, such as mutex: its own is another.
linked = $(BUILD)/harness/clocks.o $(harness:%=$(BUILD)/harness/%.cmx)
$(programs:%=$(BUILD)/%): $(BUILD)/%: $(RUNTIME)/%.ml $(BUILD)/harness/players.cmx
	mkdir -p '$(BUILD)/objects' && cp '$<' '$(BUILD)/objects/run_$*.ml'
	$(OCAMLOPT) $(FLAGS) $(INCLUDES) -I '$(BUILD)/harness' $(LIBRARIES) $(linked) '$(BUILD)/objects/run_$*.ml' -o '$@'

$(BUILD)/test: test/harness.ml $(BUILD)/harness/players.cmx
	mkdir -p '$(BUILD)/objects' && cp '$<' '$(BUILD)/objects/'
	$(OCAMLOPT) $(FLAGS) $(INCLUDES) -I '$(BUILD)/harness' $(LIBRARIES) $(linked) '$(BUILD)/objects/harness.ml' -o '$@'

$(BUILD)/failing: test/failing.ml $(BUILD)/harness/players.cmx
	mkdir -p '$(BUILD)/objects' && cp '$<' '$(BUILD)/objects/'
	$(OCAMLOPT) $(FLAGS) $(INCLUDES) -I '$(BUILD)/harness' $(LIBRARIES) $(linked) '$(BUILD)/objects/failing.ml' -o '$@'

test: $(BUILD)/test $(BUILD)/failing
	$(MAKE) --silent -f build.mk RUNTIME=lwt BUILD='$(BUILD)' OCAMLOPT='$(OCAMLOPT)'
	'$(BUILD)/test' '$(BUILD)'
