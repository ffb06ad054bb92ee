folders := harness libuv
programs := libuv/programs
CPPFLAGS += -isystem $(ENV)/usr/include
libraries := -L$(ENV)/usr/lib/$(MULTIARCH) -Wl,-rpath-link,$(ENV)/usr/lib/$(MULTIARCH) -luv
