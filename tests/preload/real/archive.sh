# needs: tar xz
# timeout: 180
for d in $(seq 1 25); do
  mkdir -p "tree/a$((d % 7))/b$d"
  for f in $(seq 1 25); do seq "$d" $((d * f)) > "tree/a$((d % 7))/b$d/f$f"; done
done
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf tree.tar tree
xz -T2 -6 -k tree.tar
xz -t tree.tar.xz
mkdir out
tar -xJf tree.tar.xz -C out
diff -r tree out/tree
tar -tvf tree.tar | wc -l
sha256sum < tree.tar
sha256sum < tree.tar.xz
