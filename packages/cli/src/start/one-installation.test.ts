import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDataDir, type DataDir } from '../testing/data-dir.ts';
import { createTollgate } from '../testing/run-tollgate.ts';
import { isUp, startInstallation, type StartedInstallation } from '../testing/start-installation.ts';

const TEST_MS = 120_000;
const RECOVERY_MS = 30_000;
const keySchema = z.object({ key: z.string() });
const budgetSchema = z.object({ spent_usd: z.string() });

describe('an installation and its data directory', { timeout: TEST_MS }, () => {
  let dataDir: DataDir;
  let ports: Record<string, string>;
  let live: StartedInstallation;
  beforeEach(async () => {
    dataDir = createDataDir();
    ports = { API_PORT: String(await findFreePort()), CONSOLE_PORT: String(await findFreePort()) };
    live = startInstallation({ DATA_DIR: dataDir.path, ...ports });
    await live.greeted();
  });
  afterEach(async () => {
    live.child.kill('SIGTERM');
    await live.exited;
    dataDir.remove();
  });

  const postmasterPid = () =>
    Number(readFileSync(path.join(dataDir.path, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

  const complete = (apiKey: string) =>
    fetch(`http://127.0.0.1:${ports.API_PORT}/v1/chat/completions`, {
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

  it('restarts a killed PostgreSQL, serves requests again, and keeps the ledger valid', async () => {
    const tollgate = createTollgate({ DATA_DIR: dataDir.path, ENCRYPTION_KEY: '' });
    await tollgate.json('account create --email a@example.com --verified');
    const { key: apiKey } = keySchema.parse(
      await tollgate.json('key create --account a@example.com --name first'),
    );
    let answered = 0;
    const ask = async () => {
      const status = await complete(apiKey);
      if (status === 200) answered++;
      return status;
    };
    expect(await ask()).toBe(200);
    await expect.poll(() => readSpent(apiKey), { timeout: RECOVERY_MS }).toBeGreaterThan(0);
    const [killedPid, spentForOne] = [postmasterPid(), await readSpent(apiKey)];
    process.kill(killedPid, 'SIGKILL');
    await expect
      .poll(() => live.warned(), { timeout: RECOVERY_MS })
      .toContain('The database is running again');
    await expect.poll(ask, { timeout: RECOVERY_MS }).toBe(200);
    expect(postmasterPid()).not.toBe(killedPid);
    expect(live.warned().match(/The database exited .*/g)).toEqual([
      expect.stringMatching(
        /^The database exited \(its server closed the connection\)\. Restarting in 0\.5 s\. Log: .+server\.log$/,
      ),
    ]);
    expect(live.warned()).not.toMatch(/The (api|console) exited/);
    expect(await ask()).toBe(200);
    await expect
      .poll(() => readSpent(apiKey), { timeout: RECOVERY_MS })
      .toBeCloseTo(spentForOne * answered, 9);
    expect((await tollgate('ledger verify')).code).toBe(0);
    expect(await isUp(Number(ports.CONSOLE_PORT))).toBe(true);
  });

  const readSpent = async (apiKey: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${ports.API_PORT}/v1/key`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    return Number(budgetSchema.parse(await response.json()).spent_usd);
  };

  it('refuses a second start on any ports without affecting the first', async () => {
    const before = snapshot(dataDir.path);
    const second = startInstallation({
      DATA_DIR: dataDir.path,
      API_PORT: String(await findFreePort()),
      CONSOLE_PORT: String(await findFreePort()),
    });
    expect(await second.exited).toBe(1);
    expect(await second.stderr).toMatch(
      new RegExp(
        `^${dataDir.path} is in use by another process \\(pid ${live.child.pid} on .+\\)\\. Stop it first, or change DATA_DIR, API_PORT and CONSOLE_PORT\\. Nothing was started or changed\\.\\n$`,
      ),
    );
    expect(second.said()).toBe('');
    expect(snapshot(dataDir.path)).toEqual(before);
    expect(await isUp(Number(ports.API_PORT))).toBe(true);

    const onTheSamePorts = startInstallation({ DATA_DIR: dataDir.path, ...ports });
    expect(await onTheSamePorts.exited).toBe(1);
    expect(await onTheSamePorts.stderr).toContain(`${dataDir.path} is in use by another process`);
  });
});

/** Files that a start writes, with content or modification time. */
function snapshot(dataDir: string): Record<string, unknown> {
  const files = readdirSync(dataDir).filter((name) => statSync(path.join(dataDir, name)).isFile());
  return Object.fromEntries(
    files.toSorted().map((name) => {
      const file = path.join(dataDir, name);
      return [name, { text: readFileSync(file, 'utf8'), modifiedMs: statSync(file).mtimeMs }];
    }),
  );
}
