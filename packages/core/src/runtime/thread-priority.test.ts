import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';

const MODULE = new URL('thread-priority.ts', import.meta.url).href;

/** Runs code in a thread. @returns the thread's priority afterwards */
function priorityInThread(code: string): Promise<unknown> {
  const source = `
    import { getPriority } from 'node:os';
    import { parentPort } from 'node:worker_threads';
    import { lowerThreadPriority } from '${MODULE}';
    ${code}
    parentPort.postMessage(getPriority(0));`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { execArgv: [] });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

describe.runIf(process.platform === 'linux')('the priority of a thread', () => {
  it('is lowered only for that thread', async () => {
    const before = getPriority(0);
    expect(await priorityInThread('lowerThreadPriority();')).toBe(Math.min(before + 10, 19));
    expect(await priorityInThread('')).toBe(before);
    expect(getPriority(0)).toBe(before);
  });

  it('stays at the lowest level', async () => {
    const code = 'lowerThreadPriority(); lowerThreadPriority(); lowerThreadPriority();';
    expect(await priorityInThread(code)).toBe(19);
  });
});
