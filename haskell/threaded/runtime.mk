# The RTS with several threads of the system; as many capabilities as the process may use CPUs.
rts := -threaded -with-rtsopts=-N
