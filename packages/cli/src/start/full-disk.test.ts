import { findFreePort } from '@tollgate/db/embedded/embedded';
import { isMissing } from '@tollgate/testing/missing-tool';
import { canMount, mountSmallDisk, type SmallDisk } from '@tollgate/testing/small-disk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate } from '../testing/run-tollgate.ts';
import { startInstallation, type StartedInstallation } from '../testing/start-installation.ts';

const SIZE_MIB = 256;
const TEST_MS = 180_000;
const CHANGE_WITHIN = { timeout: 60_000, interval: 200 };
const keySchema = z.object({ key: z.string() });
const ownSchema = z.object({ spent_usd: z.string(), held_usd: z.string() });

const lacksMount = isMissing(
  'the permission to mount file systems',
  canMount(),
  'an installation on a full disk',
);

describe.skipIf(lacksMount)(
  'an installation whose disk is full (skipped where file systems cannot be mounted)',
  { timeout: TEST_MS },
  () => {
    let disk: SmallDisk;
    let live: StartedInstallation;
    let origin: string;
    let apiKey: string;
    beforeEach(async () => {
      disk = mountSmallDisk(SIZE_MIB);
      const apiPort = await findFreePort();
      origin = `http://127.0.0.1:${apiPort}`;
      live = startInstallation({
        DATA_DIR: disk.path,
        API_PORT: String(apiPort),
        CONSOLE_PORT: String(await findFreePort()),
      });
      await live.greeted();
      const tollgate = createTollgate({ DATA_DIR: disk.path, ENCRYPTION_KEY: '' });
      await tollgate.json('account create --email a@example.com --verified --plan standard');
      await tollgate.json('account credit --email a@example.com --amount 100 --reason test');
      ({ key: apiKey } = keySchema.parse(
        await tollgate.json('key create --account a@example.com --name first'),
      ));
    });
    afterEach(async () => {
      disk.free();
      live.child.kill('SIGTERM');
      await live.exited;
      disk[Symbol.dispose]();
    });

    const ask = (): Promise<number> =>
      fetch(`${origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tollgate-demo', messages: [{ role: 'user', content: 'Hello' }] }),
      }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 0,
      );
    const readOwn = async () => {
      const response = await fetch(`${origin}/v1/key`, { headers: { authorization: `Bearer ${apiKey}` } });
      return ownSchema.parse(await response.json());
    };

    it('bills its responses, rejects other requests, reports the full disk, and recovers', async () => {
      expect(await ask()).toBe(200);
      await expect.poll(async () => Number((await readOwn()).spent_usd), CHANGE_WITHIN).toBeGreaterThan(0);
      const each = Number((await readOwn()).spent_usd);
      let answered = 1;
      const askMany = async (count: number) => {
        const statuses = await Promise.all(Array.from({ length: count }, ask));
        answered += statuses.filter((status) => status === 200).length;
        return statuses;
      };
      disk.fill();
      // PostgreSQL still has some space in its files.
      await expect
        .poll(async () => {
          disk.fill();
          return (await askMany(20)).filter((status) => status !== 503);
        }, CHANGE_WITHIN)
        .toEqual([]);
      const readReadiness = async () => {
        // PostgreSQL frees files occasionally.
        disk.fill();
        const response = await fetch(`${origin}/readyz`);
        return `${response.status} ${await response.text()}`;
      };
      await expect.poll(readReadiness, CHANGE_WITHIN).toMatch(/^503 .*full: 0\.0 GiB free/);
      disk.free();
      await expect.poll(async () => (await askMany(1))[0], CHANGE_WITHIN).toBe(200);
      await expect.poll(async () => (await fetch(`${origin}/readyz`)).status, CHANGE_WITHIN).toBe(200);
      await expect.poll(async () => (await readOwn()).held_usd, CHANGE_WITHIN).toBe('0.00');
      await expect
        .poll(async () => Number((await readOwn()).spent_usd), CHANGE_WITHIN)
        .toBeCloseTo(each * answered, 9);
      const verified = await createTollgate({ DATA_DIR: disk.path, ENCRYPTION_KEY: '' })('ledger verify');
      expect(verified).toMatchObject({ code: 0 });
      for (const message of ['the journal cannot be written', 'the ledger cannot be written'])
        expect(
          live
            .warned()
            .split('\n')
            .filter((line) => line.includes(message)).length,
        ).toBeLessThanOrEqual(3);
    });
  },
);
