folders := harness boost-asio
programs := boost-asio
common := boost-asio/crew.hpp
CPPFLAGS += -isystem $(ENV)/usr/include
