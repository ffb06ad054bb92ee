# Tests every runtime, and asks the formatter; the compiler itself takes no warning (options):
#   make -f build.mk test JAVA=java UV=uv BUILD=folder

runtimes := $(patsubst %/runtime.toml,%,$(wildcard */runtime.toml))
# A compiler has ended before its own code is worth C2's work.
compiler = '$(JAVA)' -XX:TieredStopAtLevel=1
fetch = '$(UV)' run --no-project --quiet python ../java/tools/jars.py
library = $(BUILD)/scala/scala3-library_3.jar:$(BUILD)/scala/scala-library.jar
junit = $(BUILD)/junit/junit-platform-console-standalone.jar

.PHONY: test lint jars
test: $(runtimes:%=test-%)

lint:
	$(fetch) lint.lock '$(BUILD)/scalafmt'
	$(compiler) --sun-misc-unsafe-memory-access=allow -cp '$(BUILD)/scalafmt/*' org.scalafmt.cli.Cli --non-interactive --quiet --test harness $(runtimes) test

jars:
	$(fetch) jars.lock '$(BUILD)/scala'
	$(fetch) ../java/test/jars.lock '$(BUILD)/junit'
	$(compiler) -jar '$(BUILD)/scala/ecj.jar' -25 -proc:none -d '$(BUILD)/harness' ../java/harness

# A runtime's programs and their tests, in a folder of their own.
classes-%: jars
	$(fetch) $*/jars.lock '$(BUILD)/$*'
	rm -rf '$(BUILD)/classes/$*' && mkdir -p '$(BUILD)/classes/$*'
	$(compiler) --sun-misc-unsafe-memory-access=allow -cp '$(BUILD)/scala/*' dotty.tools.dotc.Main @options -classpath '$(BUILD)/harness:$(library):$(junit):$(BUILD)/$*/*' \
		-d '$(BUILD)/classes/$*' harness/*.scala $*/*.scala test/$*/*.scala

test-%: classes-%
	$(compiler) --sun-misc-unsafe-memory-access=allow -jar '$(junit)' execute --disable-banner --details=summary --scan-class-path='$(BUILD)/classes/$*' \
		--class-path="$(BUILD)/classes/$*:$(BUILD)/harness:$(library):$$(echo '$(BUILD)/$*'/*.jar | tr ' ' :)"
