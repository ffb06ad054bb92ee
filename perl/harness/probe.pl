# Tells Perl's version, and fails without the modules that programs need.

use strict;
use warnings FATAL => 'all';

eval { require Coro; require Coro::AnyEvent; require EV } or die "Coro or EV is missing\n";
printf '%vd', $^V;
