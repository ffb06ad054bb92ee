# Parks n threads that hold nothing but their number.

use v5.36;
use warnings FATAL => 'all';

use Parking ();

Parking::measure('memory', sub ($i, $gate) { $gate->wait($i); return $i });
