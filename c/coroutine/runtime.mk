folders := harness coroutine
programs := coroutine
suite := test/coroutines.cpp
