import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hasRedisServer, NO_REDIS_MESSAGE, startRedis } from '@tollgate/testing/redis-server';
import { describe, expect, it } from 'vitest';
import type { ReplicaReport } from './replica.ts';

const REPLICAS = 3;
/** Above one minute, the run also covers sliding windows. */
const RUN_MS = Number(process.env.LIMITS_REPLICAS_MS ?? 2000);
const REPLICA = fileURLToPath(new URL('./replica.ts', import.meta.url));

interface Replica {
  ready: Promise<unknown>;
  go(): void;
  report: Promise<ReplicaReport>;
}

function startReplica(options: string[]): Replica {
  const child = spawn(process.execPath, [REPLICA, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ready = lines.next();
  return {
    ready,
    go: () => void child.stdin.end('go\n'),
    report: ready.then(async (): Promise<ReplicaReport> => JSON.parse((await lines.next()).value ?? '')),
  };
}

if (!hasRedisServer) process.stdout.write(`${NO_REDIS_MESSAGE}: limits over several processes\n`);

describe.skipIf(!hasRedisServer)('three processes on one Redis', () => {
  it.each([
    { limit: 'requests', rpm: 300, tpm: 1_000_000 },
    { limit: 'tokens', rpm: 100_000, tpm: 5000 },
  ])(
    'share the $limit of an account',
    async ({ limit, rpm, tpm }) => {
      await using redis = await startRedis();
      const options = [redis.url, `acct_${limit}`, String(rpm), String(tpm), String(RUN_MS)];
      const replicas = Array.from({ length: REPLICAS }, () => startReplica(options));
      await Promise.all(replicas.map((replica) => replica.ready));
      for (const replica of replicas) replica.go();
      const said = await Promise.all(replicas.map((replica) => replica.report));
      const sum = (of: 'admitted' | 'tokens' | 'refused') => said.reduce((all, one) => all + one[of], 0);
      process.stdout.write(
        `${REPLICAS} processes, ${limit} limited to ${limit === 'requests' ? rpm : tpm}, ${RUN_MS} ms: ` +
          `${sum('admitted')} requests (${said.map((one) => one.admitted).join(' + ')}) with ${sum('tokens')} tokens admitted, ` +
          `${sum('refused')} refused\n`,
      );
      expect(said.map((one) => one.health)).toEqual(said.map(() => 'redis'));
      expect(said.every((one) => one.admitted > 0)).toBe(true);
      if (RUN_MS < 55_000) {
        // Reservations at the end of the run may have blocked a few tokens, but no request.
        if (limit === 'requests') expect(sum('admitted')).toBe(rpm);
        expect(sum('tokens')).toBeLessThanOrEqual(tpm);
        if (limit === 'tokens') expect(sum('tokens')).toBeGreaterThan(tpm * 0.98);
      }
      const admittedMs = said.flatMap((one) => one.admittedMs).toSorted((a, b) => a - b);
      // Processes record the time after Redis does, so two requests may seem closer together.
      const tooClose = admittedMs.filter((ms, index) => ms - (admittedMs[index - rpm] ?? -Infinity) < 59_500);
      expect(tooClose).toEqual([]);
    },
    RUN_MS + 60_000,
  );
});
