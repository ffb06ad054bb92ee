folders := harness poller coroutine
programs := coroutine
limits := hand-off
suite := test/coroutines.cpp
