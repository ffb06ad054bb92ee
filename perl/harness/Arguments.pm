package Arguments;

# Reads key=value words against rules, and names precisely what is wrong with them.

use v5.36;
use warnings FATAL => 'all';

# The least value and the default of the keys that every workload understands.
my %SHARED = (iterations => [1, 1], min_warm_ms => [0, 0], trace => [0, 0], nonce => [0, 0]);

# Raised for a wrong command line.
sub usage ($text) {
    die bless({ text => $text }, 'Arguments::Usage');
}

sub integer ($key, $text, $least, $flag) {
    my $value = $text =~ /\A\d{1,18}\z/a ? 0 + $text : -1;
    usage("$key=$text must be an integer of at least $least") if $value < $least;
    usage("$key=$text must be 0 or 1")                        if $flag && $value > 1;
    return $value;
}

sub word ($key, $text, $known) {
    return $text if grep { $_ eq $text } @$known;
    return usage("$key=$text must be one of " . join ', ', @$known);
}

# A rule is the least value of an integer, or a list of words; flags are keys that may be left out.
# Returns the values of all keys, and those of the rules alone.
sub parse ($words, $rules, @flags) {
    my %flag = map { $_ => 1 } 'trace', @flags;
    my %value;
    for my $given (@$words) {
        my ($key, $text) = $given =~ /\A([^=]*)=(.*)\z/s or usage("'$given' is not key=value");
        usage("$key is given twice") if exists $value{$key};
        my $rule = $rules->{$key} // ($SHARED{$key} ? $SHARED{$key}[0] : $flag{$key} ? 0 : usage("unknown key $key"));
        $value{$key} = ref $rule ? word($key, $text, $rule) : integer($key, $text, $rule, $flag{$key});
    }
    exists $value{$_} or usage("$_ is missing") for sort keys %$rules;
    my %params = map { $_ => $value{$_} } keys %$rules;
    $value{$_} //= $SHARED{$_}[1] for keys %SHARED;
    return \%value, \%params;
}

1;
