# needs: redis-server redis-benchmark redis-cli
# timeout: 180
# A port is free when the server on it answers; else another one is tried.
server=
stop() { if [ -n "$server" ]; then kill "$server" 2> /dev/null || true; wait "$server" || true; fi; }
trap stop EXIT
for attempt in 1 2 3 4 5 6 7 8; do
  port=$((20000 + RANDOM % 20000))
  redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$PWD" > server.log 2>&1 &
  server=$!
  for wait in $(seq 1 100); do
    if ! kill -0 "$server" 2> /dev/null; then break; fi
    if [ "$(redis-cli -p "$port" ping 2> /dev/null)" = PONG ]; then break 2; fi
    sleep 0.1
  done
  wait "$server" || true
  server=
done
if [ -z "$server" ]; then
  cat server.log
  exit 1
fi
redis-benchmark -p "$port" -n 20000 -c 20 -d 200 -r 5000 -t set,get,incr,lpush,lpop,sadd,hset,mset -q \
  > benchmark.log
grep -c 'requests per second' benchmark.log
redis-cli -p "$port" eval 'for i = 1, 20000 do redis.call("set", "k" .. i, string.rep("v", i % 500)) end
  return redis.call("strlen", "k499")' 0
redis-cli -p "$port" config set activedefrag no > /dev/null
redis-cli -p "$port" memory purge
redis-cli -p "$port" flushall
redis-cli -p "$port" dbsize
redis-cli -p "$port" shutdown nosave
wait "$server"
server=
echo stopped
