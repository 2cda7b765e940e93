// oxlint-disable-next-line no-restricted-imports -- a thread to count in, which reads and writes nothing
import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '@tollgate/core/runtime/thread-priority';
import { asObject } from '../json/parse-object.ts';
import { loadTokenizer } from './load-tokenizer.ts';
import { sliceText } from './slice-text.ts';

/** The thread of `tokenizer-thread.ts`: counts a list of texts at a time and answers with the sum. */
lowerThreadPriority();
const count = await loadTokenizer();

parentPort?.on('message', (message: unknown) => {
  const texts: unknown = asObject(message)?.['texts'];
  let tokens = 0;
  for (const text of Array.isArray(texts) ? texts : [])
    for (const slice of sliceText(String(text))) tokens += count(slice);
  parentPort?.postMessage(tokens, []);
});
