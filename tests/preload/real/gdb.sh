# needs: gdb
gdb --version
gdb -nx -batch -ex 'print 6 * 7' -ex 'info line main' -ex 'ptype struct no_such_struct' 2>&1
