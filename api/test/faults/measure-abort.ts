import type { FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { expect } from 'vitest';

/** How long a provider call may continue after its caller disconnects. */
export const MOST_ABORT_MS = 100;

/**
 * Disconnects within a stream.
 * @param read reads the stream of the next request, and passes `leave` a function that aborts the client
 * @returns the milliseconds until the provider noticed
 */
export async function measureAbort(
  name: string,
  provider: FakeProvider,
  read: (leave: (go: () => void) => void) => Promise<void>,
): Promise<number> {
  let leftAtMs = Number.NaN;
  const arrived = provider.nextRequest();
  const reading = read((go) => {
    leftAtMs = performance.now();
    go();
  });
  // Most clients throw when they abort their own stream.
  await reading.catch((error: unknown) => {
    if (Number.isNaN(leftAtMs)) throw error;
  });
  const record = await arrived;
  await record.finished;
  expect(record.outcome).toBe('aborted');
  const tookMs = Number(record.abortedAtMs) - leftAtMs;
  process.stdout.write(`${name}: the provider was let go after ${tookMs.toFixed(1)} ms\n`);
  return tookMs;
}
