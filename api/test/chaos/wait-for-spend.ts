import { sumUsage } from '@tollgate/db/queries/usage/usage';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Harness } from '../gateway-fixture.ts';

const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 20;

/** Waits until a key's spend is recorded, which happens in batches after the response. */
export async function waitForSpend(harness: Harness, keyId: string): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (performance.now() < deadlineMs) {
    const used = await sumUsage(harness.database.db, { accountId: null, keyId, since: null });
    if (used.costNanoUsd > 0n) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`The key ${keyId} spent nothing that was recorded within ${PATIENCE_MS} ms`);
}
