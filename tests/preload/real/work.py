"""Uses what programs in Python use most: event loop, JSON, a database, threads and processes."""

import asyncio
import json
import multiprocessing
import sqlite3
import threading


def square_sum(count):
    return sum(i * i for i in range(count))


async def fetch(number):
    await asyncio.sleep(0.001)
    return {"number": number, "text": "x" * number}


async def gather():
    return await asyncio.gather(*(fetch(i) for i in range(300)))


def use_database():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t(a integer primary key, b text)")
    connection.executemany("insert into t values(?, ?)", ((i, str(i) * 5) for i in range(50000)))
    return connection.execute("select count(*), sum(length(b)) from t where a % 3 = 0").fetchone()


def use_threads():
    results = []
    lock = threading.Lock()

    def work(number):
        text = json.dumps({str(i): [i] * 10 for i in range(number * 20)})
        with lock:
            results.append(len(json.loads(text)))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(results)


if __name__ == "__main__":
    print(len(json.dumps(asyncio.run(gather()))))
    print(use_database())
    print(use_threads())
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(3) as pool:
            print(method, pool.map(square_sum, range(100, 2000, 100)))
