# Compiles every file with warnings, and holds its format to perltidy's.

use v5.36;
use warnings FATAL => 'all';

use Perl::Tidy ();

use constant STYLE => '--nostandard-output --maximum-line-length=132 --paren-tightness=2 --square-bracket-tightness=2';

my $failed = 0;
for my $file (glob 'harness/* coro/*.pl test/*') {
    my $said = qx{$^X -Iharness -cw $file 2>&1};
    $failed++, print STDERR $said if $said ne "$file syntax OK\n";
    open my $source, '<', $file or die "$file: $!\n";
    my $text = do { local $/ = undef; readline $source };
    my $wrong =
      Perl::Tidy::perltidy(source => \$text, destination => \my $tidy, argv => STYLE, perltidyrc => \'', stderr => \my $errors);
    $failed++, print STDERR "$file: ", $errors // "perltidy would write it otherwise\n" if $wrong || $tidy ne $text;
}
exit($failed != 0);
