/**
 * One of several test processes on one Redis. It reports when it is ready. After it receives a line, it
 * sends requests as fast as possible for the given time. At the end, it prints its admissions.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLimits } from '../create-limits.ts';
import type { TakeRequest } from '../limit-store.ts';

export interface ReplicaReport {
  admitted: number;
  tokens: number;
  refused: number;
  /** `redis`, or another storage if it was used at any time. */
  health: string;
  admittedMs: number[];
}

const [url = '', id = '', rpm = '0', tpm = '0', forMs = '0'] = process.argv.slice(2);
/** Long timeout, so that a busy test machine does not look like a Redis outage. */
const PATIENCE_MS = 5000;
const AT_ONCE = 8;
const limits = await createLimits({ redisUrl: url, deadlineMs: PATIENCE_MS });
const owner = { rpm: Number(rpm), tpm: Number(tpm) };
const said: ReplicaReport = { admitted: 0, tokens: 0, refused: 0, health: limits.health(), admittedMs: [] };
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
const endsMs = performance.now() + Number(forMs);

async function ask(lane: number): Promise<void> {
  for (let count = 0; performance.now() < endsMs; count++) {
    const tokens = 1 + ((count * 7 + lane) % 40);
    const request: TakeRequest = {
      accountId: id,
      keyId: `${id}_${lane % 2}`,
      key: owner,
      account: owner,
      tokens,
    };
    const decision = await limits.take(request);
    if (limits.health() !== 'redis') said.health = limits.health();
    if (!decision.ok) {
      said.refused += 1;
      await sleep(1);
      continue;
    }
    said.admitted += 1;
    said.admittedMs.push(Date.now());
    // Half of the requests use less than reserved.
    const used = lane % 2 === 0 ? tokens : Math.floor(tokens / 2);
    said.tokens += used;
    limits.trueUp(decision.ticket, used);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => ask(lane)));
await limits.close();
process.stdout.write(`${JSON.stringify(said)}\n`);
