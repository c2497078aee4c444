# needs: java
# timeout: 300
# With a JDK the program is compiled too (inside the same process).
java -version 2>&1
if command -v javac > /dev/null; then java -Xmx256m "$DATA/Work.java"; fi
