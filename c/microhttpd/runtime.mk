folders := harness
programs := microhttpd
CPPFLAGS += -isystem $(ENV)/usr/include
libraries := -L$(ENV)/usr/lib/$(MULTIARCH) -Wl,-rpath-link,$(ENV)/usr/lib/$(MULTIARCH) -lmicrohttpd
