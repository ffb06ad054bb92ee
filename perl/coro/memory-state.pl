# Parks n threads, each eight calls deep with 1 KiB of its own.

use v5.36;
use warnings FATAL => 'all';

use Parking ();

use constant { DEPTH => 8, SIZE => 1024, VALUES => 251 };

sub descend ($i, $gate, $level) {
    return descend($i, $gate, $level + 1) if $level < DEPTH;
    my $state = chr($i % VALUES) x SIZE;
    $gate->wait($i);
    return $i - $i % VALUES + ord substr $state, -1;
}

Parking::measure('memory-state', sub ($i, $gate) { return descend($i, $gate, 1) });
