# All programs of a runtime, one file each; the tests, and the linter.
#   make -f build.mk RUNTIME=folder BUILD=folder LDC=ldc2

LDC ?= ldc2
RUNTIME ?= fiber
# What dub's build type `release` is made of; bounds are checked in @safe code alone.
FLAGS := -O -release
programs := $(basename $(notdir $(wildcard $(RUNTIME)/*.d)))

.PHONY: all test lint
all: $(programs:%=$(BUILD)/%)

# Programs say the flags in their hello, from a file that the compiler includes: LDC 1.30 has no other way.
$(BUILD)/harness.o: $(wildcard harness/*.d)
	mkdir -p '$(BUILD)'
	echo '$(FLAGS)' > '$(BUILD)/flags'
	$(LDC) $(FLAGS) -J'$(BUILD)' -c -singleobj -of='$@' $^

# With the runtime's own modules, which then have one object with it, so that their functions may be inlined.
$(BUILD)/%: $(RUNTIME)/%.d $(wildcard $(RUNTIME)/tasks/*.d) $(BUILD)/harness.o
	$(LDC) $(FLAGS) -singleobj -i=tasks -I'$(RUNTIME)' -od='$(BUILD)' -of='$@' '$<' '$(BUILD)/harness.o'
	rm '$@.o'

$(BUILD)/harness-test: test/harness.d $(BUILD)/harness.o
	$(LDC) -unittest -main -singleobj -od='$(BUILD)' -of='$@' '$<' '$(BUILD)/harness.o'

$(BUILD)/failing: test/failing.d $(wildcard fiber/tasks/*.d) $(BUILD)/harness.o
	$(LDC) -singleobj -i=tasks -Ifiber -od='$(BUILD)' -of='$@' '$<' '$(BUILD)/harness.o'

test: all $(BUILD)/harness-test $(BUILD)/failing
	PROGRAMS='$(BUILD)' '$(BUILD)/harness-test'

# Distributions have no formatter.
lint:
	! grep -nE '.{141}|[[:space:]]$$|	' */*.d */*/*.d
	mkdir -p '$(BUILD)'
	echo '$(FLAGS)' > '$(BUILD)/flags'
	$(LDC) -w -de -preview=dip1000 -unittest -o- -J'$(BUILD)' -Ifiber */*.d */*/*.d
