# needs: gdb
gdb --version
gdb -nx -batch -ex 'info line main' -ex 'ptype struct no_such_struct' -ex 'print 6 * 7' 2>&1
