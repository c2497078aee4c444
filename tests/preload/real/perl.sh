# needs: perl
perl "$DATA/work.pl"
