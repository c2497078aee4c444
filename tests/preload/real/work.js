// Objects, buffers outside the JavaScript heap, worker threads, a child process, compression.
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { execFileSync } = require('child_process');
const crypto = require('crypto');
const zlib = require('zlib');

if (isMainThread) {
  const entries = new Map();
  for (let i = 0; i < 200000; ++i) entries.set(`key${i % 5000}`, { i, list: [i, i + 1] });
  console.log(entries.size, JSON.stringify([...entries]).length);
  const buffers = [];
  for (let i = 1; i < 300; ++i) buffers.push(Buffer.alloc(i * 1000, i % 250));
  const packed = zlib.gzipSync(Buffer.concat(buffers));
  const hash = crypto.createHash('sha256').update(zlib.gunzipSync(packed)).digest('hex');
  console.log(hash);
  console.log(execFileSync('echo', ['from a child']).toString().trim());
  const workers = [1, 2, 3].map((n) => new Promise((resolve, reject) => {
    const worker = new Worker(__filename, { workerData: n });
    worker.on('message', resolve);
    worker.on('error', reject);
  }));
  Promise.all(workers).then((results) => console.log(results.join(' ')));
} else {
  let text = '';
  for (let i = 0; i < 50000; ++i) text += String(i * workerData);
  parentPort.postMessage(text.length);
}
