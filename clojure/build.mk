# Tests the programs, and lints them: the compiler takes no reflection, and a script looks at the rest.
#   make -f build.mk test JAVA=java UV=uv BUILD=folder

# A compiler has ended before its own code is worth C2's work.
compiler = '$(JAVA)' -XX:TieredStopAtLevel=1
fetch = '$(UV)' run --no-project --quiet python ../java/tools/jars.py
jars = $(BUILD)/jars
class_path = $(BUILD)/classes:$(jars)/clojure.jar:$(jars)/spec.alpha.jar:$(jars)/core.specs.alpha.jar:$(jars)/core.async.jar

.PHONY: test lint classes
test: classes
	$(compiler) --enable-native-access=ALL-UNNAMED -cp 'test:$(jars)/*:$(class_path)' clojure.main test/run.clj

lint: classes
	$(compiler) -cp '$(class_path)' clojure.main tools/lint.clj core-async/*.clj core-async/*/*.clj test/*.clj tools/*.clj

classes:
	$(fetch) jars.lock '$(jars)'
	$(fetch) core-async/jars.lock '$(jars)'
	rm -rf '$(BUILD)/classes' && mkdir '$(BUILD)/classes'
	$(compiler) -jar '$(jars)/ecj.jar' -25 -proc:none -d '$(BUILD)/classes' ../java/harness
	$(compiler) -Dclojure.compiler.direct-linking=true -Dclojure.main.report=stderr -cp '$(BUILD)/classes:core-async:$(jars)/*' \
		clojure.main tools/compile.clj core-async '$(BUILD)/classes' '$(class_path)'
