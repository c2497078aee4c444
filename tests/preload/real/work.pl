# Hashes, regular expressions, sorting, sprintf, closures and a child process.
use strict;
use warnings;

my %words;
for my $i (1 .. 200_000) {
    my $word = join '', map { chr(97 + ($i * $_) % 26) } 1 .. 4;
    push @{ $words{$word} }, $i;
}
my @most = sort { @{ $words{$b} } <=> @{ $words{$a} } || $a cmp $b } keys %words;
print scalar(@most), " $most[0] ", scalar @{ $words{ $most[0] } }, "\n";

my $text = join ' ', map { "key$_=value" . $_ * 7 } 1 .. 20_000;
my $sum = 0;
$sum += $2 while $text =~ /(key\d+)=value(\d+)/g;
( my $upper = $text ) =~ s/value(\d)/VALUE<$1>/g;
print "$sum ", length($upper), "\n";

my @closures = map { my $n = $_; sub { $n * shift } } 1 .. 1000;
my $total = 0;
$total += $_->(3) for @closures;
print "$total\n";
print `echo from a child`;
