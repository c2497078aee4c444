# needs: git
export GIT_AUTHOR_DATE='2026-01-02T03:04:05Z' GIT_COMMITTER_DATE='2026-01-02T03:04:05Z'
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
git init -q -b main origin
cd origin
for i in $(seq 1 25); do
  mkdir -p "d$((i % 5))"
  seq "$i" $((i * 300)) > "d$((i % 5))/f$i"
  git add .
  git commit -q -m "change $i"
done
cd ..
git clone -q --no-local origin copy 2>&1
cd copy
seq 1 1000 > more
git add more
git commit -q -m more
git gc -q --aggressive --prune=now
git repack -q -a -d -f
git fsck --full --no-progress
git log --oneline | wc -l
git rev-parse HEAD
git diff --stat HEAD~20 HEAD
git blame d0/f20 | tail -1
