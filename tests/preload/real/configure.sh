# needs: bash sed grep awk cc
# timeout: 240
# What a configure script does, thousands of times: substitutions, functions, here documents, sub-shells,
# sed and awk, and a compiler for each question.
checks=0
check() {
  local name=$1 program=$2
  printf 'checking for %s... ' "$name"
  cat > conftest.c << PROGRAM
$program
PROGRAM
  if cc -o conftest conftest.c 2> conftest.err; then
    echo yes
    echo "#define HAVE_$(echo "$name" | sed 's/[^A-Za-z0-9]/_/g' | tr a-z A-Z) 1" >> confdefs.h
  else
    echo no
  fi
  rm -f conftest conftest.c conftest.err
  checks=$((checks + 1))
}
: > confdefs.h
for header in stdio.h stdlib.h string.h unistd.h sys/mman.h windows.h threads.h; do
  check "$header" "#include <$header>
int main(void) { return 0; }"
done
for function in malloc mmap strlcpy getline arc4random no_such_function; do
  check "$function" "char $function(void);
int main(void) { return $function(); }"
done
declare -A table
for i in $(seq 1 3000); do
  key="key_$((i % 300))"
  table[$key]="${table[$key]:-}$i "
  value=${table[$key]%% *}
  case $value in *7*) sevens=$((${sevens:-0} + 1)) ;; esac
done
list=()
for i in {1..5000}; do list+=("${i//1/one}"); done
joined=$(IFS=,; echo "${list[*]}")
for i in $(seq 1 60); do
  result=$(echo "@prefix@/lib/@name@-$i" | sed -e 's|@prefix@|/usr|' -e 's|@name@|wall|')
done
echo "$checks ${#table[@]} $sevens ${#joined} $result"
sort confdefs.h | awk '{ print $2 }'
