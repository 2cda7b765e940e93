import { Buffer } from 'node:buffer';
// oxlint-disable-next-line no-restricted-imports -- a thread whose heap contains only what the api's does
import { parentPort } from 'node:worker_threads';
import { parseInThread } from './parse-in-thread.ts';
import { BodyWorkers } from './worker/body-workers.ts';

/**
 * A program for a thread: reads each body that it receives as the event loop of the api does, and sends back the
 * processor time of this thread, in milliseconds. In the thread of the tests, the time would include collections of
 * what all tests have imported and kept.
 */
const workers = new BodyWorkers({ threads: 1, timeLimitMs: 120_000, maxHeapMib: 512 });
async function measure(text: string): Promise<void> {
  // A separate block, as the body collector creates it.
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  const before = process.threadCpuUsage();
  const read = await parseInThread(workers, '/v1/chat/completions', {
    body,
    owner: 'a',
    isWanted: () => true,
  });
  const { user, system } = process.threadCpuUsage(before);
  parentPort?.postMessage(
    { ok: read?.ok === true && body.length === 0, loopMs: (user + system) / 1_000 },
    [],
  );
}
// An error ends the thread, and is the result of the test.
parentPort?.on('message', (text: string) => void measure(text));
