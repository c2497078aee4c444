# needs: clang++-19 awk
# timeout: 300
awk -v count=12 -f "$DATA/generate.awk" > large.cc
clang++-19 -std=c++20 -O2 -c large.cc -o large.o
sha256sum large.o
clang++-19 large.o -o large
./large
