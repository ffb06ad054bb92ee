# A thread for a range of leaves starts ten for the tenths of it, down to a thread for each leaf.

use v5.36;
use warnings FATAL => 'all';

use Program ();

use constant CHILDREN => 10;

# How many threads were joined in one, itself included, and the sum of its leaves.
sub node ($start, $first, $leaves) {
    return [1, $first] if $leaves == 1;
    my $share    = $leaves / CHILDREN;
    my @children = map { $start->(\&node, $start, $first + $_ * $share, $share) } 0 .. CHILDREN - 1;
    my ($tasks, $sum) = (1, 0);
    for my $child (@children) {
        my $part = $child->join;
        $tasks += $part->[0];
        $sum   += $part->[1];
    }
    return [$tasks, $sum];
}

Program::run(
    'tree',
    { n => 1 },
    sub ($program) {
        my $n = $program->get('n');
        Arguments::usage("n=$n must be a power of ten") if $n !~ /\A10*\z/;
        my $start = $program->starter(counts => 1);
        $program->repeated(
            sub {
                my $total = $start->(\&node, $start, $program->nonce, $n)->join;
                return $total->[0], finished => $total->[0], checksum => $total->[1];
            }
        );
    }
);
