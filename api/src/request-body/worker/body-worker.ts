// oxlint-disable-next-line no-restricted-imports -- a thread to parse in, which reads and writes nothing
import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '@tollgate/core/runtime/thread-priority';
import { guardHeap } from '@tollgate/dialects/json/heap-guard';
import type { BodyJob } from './body-job.ts';
import { getHeapRoom } from './heap-room.ts';
import { listTransfers, runBodyJob } from './run-body-job.ts';

/** A thread of `body-workers.ts`: runs one job at a time. */
lowerThreadPriority();
guardHeap(getHeapRoom);
parentPort?.on('message', (job: BodyJob) => {
  const answer = runBodyJob(job);
  parentPort?.postMessage(answer, listTransfers(answer));
});
