folders := harness boost-fiber
programs := boost-fiber
common := boost-fiber/crew.hpp
CPPFLAGS += -isystem $(ENV)/usr/include
libraries := -L$(ENV)/usr/lib/$(MULTIARCH) -Wl,-rpath-link,$(ENV)/usr/lib/$(MULTIARCH) -lboost_fiber -lboost_context
