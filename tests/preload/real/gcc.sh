# needs: g++ awk
# timeout: 300
awk -v count=12 -f "$DATA/generate.awk" > large.cc
g++ -std=c++20 -O2 -c large.cc -o large.o
sha256sum large.o
g++ large.o -o large
./large
