# All programs of a runtime, one file each; the tests, and the linter.
#   make -f build.mk RUNTIME=folder BUILD=folder NIM=nim

NIM ?= nim
FLAGS := --hints:off --nimcache:'$(BUILD)/cache'
programs := $(basename $(notdir $(wildcard $(RUNTIME)/*.nim)))

.PHONY: all test lint
all: $(programs:%=$(BUILD)/%)

# A dash is no part of a module's name: the compiler is given a copy under another one, two folders beside the harness as here.
$(programs:%=$(BUILD)/%): $(BUILD)/%: $(RUNTIME)/%.nim $(wildcard harness/*.nim)
	mkdir -p '$(BUILD)/sources/program' && cp -r harness '$(BUILD)/sources/'
	cp '$<' '$(BUILD)/sources/program/$(subst -,_,$*).nim'
	$(NIM) c -d:release $(FLAGS) -o:'$@' '$(BUILD)/sources/program/$(subst -,_,$*).nim'

test:
	$(MAKE) --silent -f build.mk RUNTIME=async BUILD='$(BUILD)' NIM='$(NIM)'
	$(MAKE) --silent -f build.mk RUNTIME=test BUILD='$(BUILD)' NIM='$(NIM)'
	PROGRAMS='$(BUILD)' '$(BUILD)/harness-test'

# The formatter lies beside the compiler.
lint:
	mkdir -p '$(BUILD)'
	for file in */*.nim; do \
		$(dir $(NIM))nimpretty --maxLineLen:140 --out:'$(BUILD)/pretty.nim' "$$file" && diff "$$file" '$(BUILD)/pretty.nim' || exit; \
	done
	for file in harness/*.nim; do $(NIM) check $(FLAGS) "$$file" || exit; done
