# The RTS that GHC links where nothing is said: one thread of the system runs all.
rts :=
