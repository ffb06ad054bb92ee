folders := harness poller coroutine
programs := coroutine
suite := test/coroutines.cpp
