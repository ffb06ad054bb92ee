# Builds the programs of one runtime into BUILD: make --file=build.mk ROOT=... RUNTIME=... BUILD=... CC=...
# Its runtime.mk names the folders whose sources (.c, .S, .cc) every program is linked with, the folder of programs and one
# of more of them, which not all who share the first can have, the programs that its variant at the limit has (of the folder
# limit in there, where it has one of that name), and the file of tests.
# test and lint go over all runtimes that have tests; the others need libraries that not every box has.

# make has no names with spaces, and the checkout may lie in such a folder: what lies in it (ROOT) is named from here.
near = $(if $(ROOT),$(subst $(ROOT)/,../,$(1)),$(1))
override RUNTIME := $(call near,$(RUNTIME))
override BUILD := $(call near,$(BUILD))
override ENV := $(call near,$(ENV))

strict :=
# How programs are compiled and linked; they say it in their hello.
OPTIMIZE := -O2
# With the headers that each file includes, for the next time.
CPPFLAGS := -D_GNU_SOURCE -I. -pthread -MMD -MP -DFLAGS='"$(OPTIMIZE)"'
WARNINGS := -Wall -Wextra -Wshadow $(strict)
ifneq ($(RUNTIME),)
include $(RUNTIME)/runtime.mk
endif

# The header that all programs of a runtime include (common) is compiled once: those of Boost take longer than any program.
ifneq ($(common),)
precompiled := $(BUILD)/common.hpp.gch
include_common := -include $(BUILD)/common.hpp -Werror=invalid-pch
endif

CFLAGS := $(CPPFLAGS) $(OPTIMIZE) -std=gnu17 $(WARNINGS)
CXXFLAGS := $(CPPFLAGS) $(OPTIMIZE) -std=gnu++20 $(WARNINGS)

sources := $(foreach folder,$(folders),$(wildcard $(folder)/*.c $(folder)/*.S $(folder)/*.cc))
objects := $(patsubst %,$(BUILD)/objects/%.o,$(sources))
made := $(patsubst $(programs)/%,$(BUILD)/%,$(basename $(wildcard $(programs)/*.c $(programs)/*.cpp)))
ifneq ($(more_programs),)
made += $(patsubst $(more_programs)/%,$(BUILD)/%,$(basename $(wildcard $(more_programs)/*.c)))
endif
made += $(addprefix $(BUILD)/limit/,$(limits))
# ONLY: the programs that are made, where a version measures few of them. A linker that optimises does all over for each.
ifneq ($(ONLY),)
made := $(addprefix $(BUILD)/,$(ONLY))
endif

# The programs of a library of headers lie in one file, which has a name for each of them (together): most of the time goes
# into the library's code, which is in each program. Some have a file of their own (apart).
ifneq ($(apart),)
together := $(filter-out $(apart),$(basename $(notdir $(wildcard $(programs)/*.cpp))))
endif

.PHONY: all suite test lint
all: $(made)

suite: $(BUILD)/$(basename $(suite))
	$<

# SUITES: the endings of the test programs that are made, since a C compiler may come without C++.
SUITES ?= c|cpp
each = set -e; for runtime in $(dir $(shell grep -lE '^suite.*\.($(SUITES))$$' */runtime.mk)); do \
	$(MAKE) --file=build.mk RUNTIME=$$runtime BUILD=$(BUILD)/$$runtime CC="$(CC)" $(1); done

test:
	$(call each,suite)

lint:
	$(call each,strict=-Werror all suite)

$(BUILD)/objects/%.c.o: %.c
	@mkdir -p $(dir $@)
	"$(CC)" $(CFLAGS) -c -o $@ $<

$(BUILD)/objects/%.S.o: %.S
	@mkdir -p $(dir $@)
	"$(CC)" -c -o $@ $<

$(BUILD)/objects/%.cc.o: %.cc
	@mkdir -p $(dir $@)
	"$(CC)" $(CXXFLAGS) -c -o $@ $<

$(BUILD)/limit/%: $(programs)/limit/%.c $(objects)
	@mkdir -p $(dir $@)
	"$(CC)" $(CFLAGS) -o $@ $< $(objects) $(libraries)

$(BUILD)/common.hpp.gch: $(common)
	@mkdir -p $(BUILD)
	echo '#include "$(common)"' > $(BUILD)/common.hpp
	"$(CC)" $(CXXFLAGS) -x c++-header -o $@ $(BUILD)/common.hpp

$(BUILD)/limit/%: $(programs)/%.c $(objects)
	@mkdir -p $(dir $@)
	"$(CC)" $(CFLAGS) -o $@ $< $(objects) $(libraries)

$(BUILD)/limit/%: $(programs)/limit/%.cpp $(objects)
	@mkdir -p $(dir $@)
	"$(CC)" $(CXXFLAGS) -o $@ $< $(objects) -lstdc++ $(libraries)

ifneq ($(more_programs),)
$(BUILD)/%: $(more_programs)/%.c $(objects)
	"$(CC)" $(CFLAGS) -o $@ $< $(objects) $(libraries)
endif

$(BUILD)/%: $(programs)/%.c $(objects)
	"$(CC)" $(CFLAGS) -o $@ $< $(objects) $(libraries)

$(addprefix $(BUILD)/,$(together)): $(BUILD)/programs
	ln -f $< $@

# A namespace for each program, with its main in it, after all headers. GCC warns of an included file as if it were a header.
# A main that isn't the global one must return something.
space = program_$(subst -,_,$(1))
$(BUILD)/programs.cpp: build.mk $(wildcard $(programs)/*.cpp)
	@mkdir -p $(BUILD)
	{ echo '#include <string_view>'; \
	cat $(together:%=$(programs)/%.cpp) | grep '^#include' | LC_ALL=C sort -u; \
	$(foreach name,$(together),printf 'namespace $(call space,$(name)) {\n#include "$(programs)/$(name).cpp"\n}\n'; )\
	echo 'int main(int argc, char **argv) {'; \
	echo 'std::string_view name(argv[0]);'; \
	echo 'name.remove_prefix(name.rfind(0x2f) + 1);'; \
	$(foreach name,$(together),echo 'if (name == "$(name)") return $(call space,$(name))::main(argc, argv);'; )\
	echo 'usage("call this by the name of a workload"); }'; } > $@

$(BUILD)/programs: $(BUILD)/programs.cpp $(objects)
	"$(CC)" $(CXXFLAGS) -Wno-subobject-linkage -Werror=return-type -o $@ $< $(objects) -lstdc++ $(libraries)

$(BUILD)/%: $(programs)/%.cpp $(objects) $(precompiled)
	"$(CC)" $(CXXFLAGS) $(include_common) -o $@ $< $(objects) -lstdc++ $(libraries)

$(BUILD)/test/%: test/%.c $(objects)
	@mkdir -p $(dir $@)
	"$(CC)" $(CFLAGS) -o $@ $< $(objects) $(libraries)

$(BUILD)/test/%: test/%.cpp $(objects)
	@mkdir -p $(dir $@)
	"$(CC)" $(CXXFLAGS) -o $@ $< $(objects) -lstdc++ $(libraries)

.SECONDARY: $(objects)
# Of many megabytes, and of use only here.
.INTERMEDIATE: $(precompiled)
-include $(wildcard $(BUILD)/*.d $(BUILD)/*/*.d $(BUILD)/*/*/*.d)
