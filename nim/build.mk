# All programs of a runtime in one file, which has a name for each of them; startup; the tests, and the linter.
#   make -f build.mk RUNTIME=folder BUILD=folder NIM=nim

NIM ?= nim
RUNTIME ?= async
FLAGS := --hints:off --nimcache:'$(BUILD)/cache'
names := $(basename $(notdir $(wildcard $(RUNTIME)/*.nim)))
# One compilation of the library and not one for each. What starts has nothing of the others in it.
together := $(filter-out startup,$(names))
sources := $(wildcard harness/*.nim $(RUNTIME)/*.nim)

.PHONY: all test lint
all: $(BUILD)/programs $(BUILD)/startup
	for name in $(together); do ln -f '$(BUILD)/programs' "$(BUILD)/$$name" || exit; done
	rm '$(BUILD)/programs'

# A dash is no part of a module's name: the compiler is given copies under other names, two folders beside the harness as here.
copied = mkdir -p '$(BUILD)/sources/program' && cp -r harness '$(BUILD)/sources/'
compile = $(NIM) c -d:release $(FLAGS) -o:'$@' '$(BUILD)/sources/program/$(1).nim'
$(BUILD)/programs: $(sources)
	$(copied)
	echo '{.warning[UnusedImport]: off.}' > '$(BUILD)/sources/program/programs.nim'
	for name in $(together); do \
		module=$$(echo "$$name" | tr - _); \
		cp "$(RUNTIME)/$$name.nim" "$(BUILD)/sources/program/$$module.nim"; \
		echo "import $$module"; \
	done >> '$(BUILD)/sources/program/programs.nim'
	echo 'quit("usage: call this by the name of a workload", 2)' >> '$(BUILD)/sources/program/programs.nim'
	$(call compile,programs)

$(BUILD)/%: $(RUNTIME)/%.nim $(sources)
	$(copied)
	cp '$<' '$(BUILD)/sources/program/$(subst -,_,$*).nim'
	$(call compile,$(subst -,_,$*))

test:
	$(MAKE) --silent -f build.mk BUILD='$(BUILD)' NIM='$(NIM)'
	$(MAKE) --silent -f build.mk RUNTIME=test BUILD='$(BUILD)' NIM='$(NIM)' '$(BUILD)/failing' '$(BUILD)/harness-test'
	PROGRAMS='$(BUILD)' '$(BUILD)/harness-test'

# The formatter lies beside the compiler.
lint:
	mkdir -p '$(BUILD)'
	for file in */*.nim; do \
		$(dir $(NIM))nimpretty --maxLineLen:140 --out:'$(BUILD)/pretty.nim' "$$file" && diff "$$file" '$(BUILD)/pretty.nim' || exit; \
	done
	for file in harness/*.nim; do $(NIM) check $(FLAGS) "$$file" || exit; done
