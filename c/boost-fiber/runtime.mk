folders := harness boost-fiber
programs := boost-fiber
# What starts has nothing of the others in it. GCC puts a channel's functions into their callers only where they have one.
apart := startup channel fan-in
CPPFLAGS += -isystem $(ENV)/usr/include
libraries := -L$(ENV)/usr/lib/$(MULTIARCH) -Wl,-rpath-link,$(ENV)/usr/lib/$(MULTIARCH) -lboost_fiber -lboost_context
