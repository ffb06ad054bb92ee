# All programs but startup in one, which takes the compiler as long as one of them. It is the one by whose name it is called.
require "./fiber/*"

Program.unknown
