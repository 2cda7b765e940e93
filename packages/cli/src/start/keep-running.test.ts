import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepRunning } from './keep-running.ts';
import { startService } from './service.ts';
import { stopServices } from './supervise.ts';

const POLICY = { firstDelayMs: 20, maxDelayMs: 100, maxRestarts: 3, withinMs: 60_000 };
/** Responds with its PID. */
const SERVER = `
import { createServer } from 'node:http';
createServer((_, response) => response.end(String(process.pid))).listen(process.env.PORT, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-kept-'));
  writeFileSync(path.join(folder, 'server.mjs'), SERVER);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function keep(file = 'server.mjs', policy: Partial<typeof POLICY> = {}) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/healthz`;
  const lines: string[] = [];
  const stopping = new AbortController();
  const service = keepRunning(
    () =>
      startService({
        name: 'thing',
        args: [path.join(folder, file)],
        cwd: folder,
        env: { PORT: String(port) },
        healthUrl: url,
        onLine: () => undefined,
      }),
    {
      stopping: stopping.signal,
      say: (line) => lines.push(line),
      logPath: '/logs/thing.log',
      policy: { ...POLICY, ...policy },
    },
  );
  const readPid = async () => Number(await (await fetch(url, { headers: { connection: 'close' } })).text());
  return { service, lines, stopping, forced: new AbortController(), readPid };
}

it('restarts a killed service and reports it', async () => {
  const { service, lines, readPid } = await keep();
  await service.ready();
  const firstPid = await readPid();
  process.kill(firstPid, 'SIGKILL');
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2);
  expect(await readPid()).not.toBe(firstPid);
  expect(lines[0]).toBe('The thing exited (SIGKILL). Restarting in 0.02 s. Log: /logs/thing.log');
  expect(lines[1]).toMatch(/^The thing is running again after \d+\.\d s\.$/);
  service.stop();
  expect(await service.exited).toBe('exit code 0');
});

it('gives up after too many exits in a short time', async () => {
  const { service, lines, readPid } = await keep();
  await service.ready();
  for (let kill = 0; kill <= POLICY.maxRestarts; kill++) {
    await expect
      .poll(() => lines.filter((line) => line.includes('again')).length, { timeout: 10_000 })
      .toBe(kill);
    process.kill(await readPid(), 'SIGKILL');
  }
  expect(await service.exited).toBe('SIGKILL; 4 exits within 60 s');
});

it('does not restart a service that never became ready', async () => {
  const { service, lines } = await keep('missing.mjs');
  await expect(service.ready()).rejects.toThrow('The thing did not start');
  expect(await service.exited).toBe('exit code 1');
  expect(lines).toEqual([]);
});

it('does not restart a service after the installation was asked to stop', async () => {
  const { service, lines, stopping, readPid } = await keep();
  await service.ready();
  stopping.abort();
  process.kill(await readPid(), 'SIGKILL');
  expect(await service.exited).toBe('SIGKILL');
  expect(lines).toEqual([]);
});

it('stops a service during its restart delay', async () => {
  const { service, stopping, forced, readPid } = await keep('server.mjs', { firstDelayMs: 60_000 });
  await service.ready();
  process.kill(await readPid(), 'SIGKILL');
  await expect.poll(() => service.isRunning()).toBe(false);
  await stopServices([service], { stopping: stopping.signal, forced: forced.signal });
  expect(await service.exited).toBe('SIGKILL');
});
