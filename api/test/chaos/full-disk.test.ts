import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@tollgate/db/client';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { isMissing } from '@tollgate/testing/missing-tool';
import { canMount, mountSmallDisk } from '@tollgate/testing/small-disk';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get, post } from '../../src/testing/call-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const SIZE_MIB = 64;
const TEST_MS = 60_000;
const CHANGE_WITHIN = { timeout: 20_000, interval: 100 };
const messages = [{ role: 'user', content: 'Hello there' }];

const lacksMount = isMissing('the permission to mount file systems', canMount(), 'an api on a full disk');

describe.skipIf(lacksMount)(
  'an api whose disk is full (skipped if file systems cannot be mounted)',
  { timeout: TEST_MS },
  () => {
    const disk = mountSmallDisk(SIZE_MIB);
    let harness: Harness;
    let api: ApiProcess;
    let secret: string;
    let keyId: string;
    beforeAll(async () => {
      harness = await createHarness();
      ({ secret, keyId } = await harness.createKey({ maxBudgetUsd: '100.00' }));
      api = await spawnApi({ databaseUrl: harness.database.url, dataDir: disk.path, logLevel: 'info' });
    });
    afterAll(async () => {
      await api.kill();
      await harness[Symbol.asyncDispose]();
      disk[Symbol.dispose]();
    });

    const ask = async (count = 1): Promise<number[]> =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const response = await post(
            `${api.baseUrl}/chat/completions`,
            { model: MODEL, messages },
            { secret },
          );
          await response.arrayBuffer();
          return response.status;
        }),
      );
    const readiness = async () => {
      const response = await get(api.baseUrl.replace('/v1', '/readyz'));
      return { status: response.status, body: await response.text() };
    };
    /** The log lines about the disk and the database, in order. */
    const changes = () =>
      api
        .output()
        .split('\n')
        .flatMap((line) => {
          const [, message = ''] = /"msg":"([^"]*)"/.exec(line) ?? [];
          return /journal|spool|ledger c/.test(message) ? [message.replace(/:.*/, '')] : [];
        });
    const settled = () =>
      harness.database.db.sql<{ requests: number; cost: bigint }[]>`
      SELECT count(*)::int AS requests, coalesce(sum(cost_nano_usd), 0)::bigint AS cost FROM requests
      WHERE key_id = ${keyId} AND state = 'settled' AND status = 200`;
    const standing = () =>
      harness.database.db.sql<{ spent: bigint; held: bigint }[]>`
      SELECT spent_nano_usd AS spent, held_nano_usd AS held FROM key_totals WHERE key_id = ${keyId}`;

    it('answers and bills exactly while the database accepts settlements, and logs the violation once', async () => {
      expect(await ask(3)).toEqual([200, 200, 200]);
      disk.fill();
      expect(await ask(20)).toEqual(Array.from({ length: 20 }, () => 200));
      await expect.poll(async () => (await settled())[0]?.requests, CHANGE_WITHIN).toBe(23);
      const { status, body } = await readiness();
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({
        status: 'degraded',
        checks: {
          disk: 'full: 0.0 GiB free',
          ledger: expect.stringContaining('the journal cannot be written'),
        },
      });
      disk.free();
      // The disk is retried a second later.
      await sleep(1_100);
      expect(await ask()).toEqual([200]);
      await expect.poll(async () => (await settled())[0]?.requests, CHANGE_WITHIN).toBe(24);
      expect((await readiness()).body).not.toContain('the journal cannot be written');
      expect(changes()).toEqual(['the journal cannot be written', 'the journal can be written again']);
    });

    it('refuses requests before they are sent while the database is down too, and recovers', async () => {
      const linesBefore = changes().length;
      const answeredBefore = (await settled())[0]?.requests ?? 0;
      disk.fill();
      await setConnections(false);
      let answered = 0;
      const count = (statuses: number[]) => (answered += statuses.filter((status) => status === 200).length);
      await expect
        .poll(async () => {
          const statuses = await ask(5);
          count(statuses);
          return statuses.every((status) => status === 503);
        }, CHANGE_WITHIN)
        .toBe(true);
      const sent = harness.provider.requests.length;
      expect(await ask(30)).toEqual(Array.from({ length: 30 }, () => 503));
      expect(harness.provider.requests).toHaveLength(sent);
      const down = await readiness();
      expect(down.status).toBe(503);
      expect(down.body).toContain('full: 0.0 GiB free');
      disk.free();
      await setConnections(true);
      await expect
        .poll(async () => {
          const statuses = await ask();
          count(statuses);
          return statuses[0];
        }, CHANGE_WITHIN)
        .toBe(200);
      await expect.poll(async () => (await readiness()).status, CHANGE_WITHIN).toBe(200);
      await expect
        .poll(async () => (await settled())[0]?.requests, CHANGE_WITHIN)
        .toBe(answeredBefore + answered);
      await expect.poll(async () => (await standing())[0]?.held, CHANGE_WITHIN).toBe(0n);
      const [[books], [key]] = await Promise.all([settled(), standing()]);
      expect(key?.spent).toBe(books?.cost);
      const { findings } = await verifyLedger(harness.database.db, { recompute: null });
      expect(findings).toEqual([]);
      const lines = changes().slice(linesBefore);
      for (const line of new Set(lines))
        expect([line, lines.filter((each) => each === line)]).toEqual([line, [line]]);
      expect(lines).toEqual(
        expect.arrayContaining(['the ledger cannot be written', 'the ledger can be written again']),
      );
    });

    /** Closes and blocks all connections to the database, or allows them again. */
    async function setConnections(isAllowed: boolean): Promise<void> {
      const url = new URL(harness.database.url);
      const name = url.pathname.slice(1);
      url.pathname = '/postgres';
      const admin = openDatabase(url.href);
      try {
        await admin.sql.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`);
        if (!isAllowed)
          await admin.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
      } finally {
        await admin.close();
      }
    }
  },
);
