# needs: python3
# The interpreter, its C extensions, threads and child processes.
python3 "$DATA/work.py"
