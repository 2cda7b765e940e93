import type { FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { createMeteredModel } from '@tollgate/testing/fake-provider/metered-model';
import { expect } from 'vitest';
import type { Answer } from './ask.ts';

const DECIDED_WITHIN_MS = 60_000;

/** @returns a function that lets the provider answer its requests, which wait until then */
export function holdAnswers(provider: FakeProvider): () => void {
  const released = Promise.withResolvers<void>();
  const write = createMeteredModel({ thinkMs: 0, pieces: 4, intervalMs: 5 });
  provider.always((request, headers) => ({ ...write(request, headers), headersAfter: released.promise }));
  return released.resolve;
}

/** Sends a burst of which no request is answered before the last one is at the provider or refused. */
export async function sendHeldBurst(
  provider: FakeProvider,
  send: () => Promise<Answer>[],
): Promise<Answer[]> {
  const release = holdAnswers(provider);
  const before = provider.requests.length;
  const sent = send();
  let ended = 0;
  const answers = Promise.all(
    sent.map(async (asked) => {
      const answer = await asked;
      ended += 1;
      return answer;
    }),
  );
  try {
    await expect
      .poll(() => provider.requests.length - before + ended, { timeout: DECIDED_WITHIN_MS, interval: 10 })
      .toBeGreaterThanOrEqual(sent.length);
  } finally {
    release();
  }
  return answers;
}
