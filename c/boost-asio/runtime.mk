folders := harness boost-asio
programs := boost-asio
CPPFLAGS += -isystem $(ENV)/usr/include
