import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from './service.ts';
import { stopServices, waitUntilReady, waitUntilStopped } from './supervise.ts';

/** A server that needs `DRAIN_MS` to exit after SIGTERM. */
const SERVER = `
import { createServer } from 'node:http';
const server = createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1');
process.on('SIGTERM', () => {
  console.log('draining');
  setTimeout(() => { console.log('drained'); process.exit(0); }, Number(process.env.DRAIN_MS));
});`;

describe('a supervised service', () => {
  let folder: string;
  let server: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tollgate-service-'));
    server = path.join(folder, 'server.mjs');
    writeFileSync(server, SERVER);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = async (env: Record<string, string> = {}, file = server) => {
    const lines: string[] = [];
    const port = String(await findFreePort());
    const service: Service = startService({
      name: 'thing',
      args: [file],
      cwd: folder,
      env: { PORT: port, DRAIN_MS: '50', ...env },
      healthUrl: `http://127.0.0.1:${port}/healthz`,
      onLine: (line) => lines.push(line),
    });
    const [stopping, forced] = [new AbortController(), new AbortController()];
    return {
      service,
      lines,
      stopping,
      forced,
      signals: { stopping: stopping.signal, forced: forced.signal },
    };
  };

  it('is ready once it responds, and drains before the stop completes', async () => {
    const { service, lines, stopping, signals } = await start({ DRAIN_MS: '300' });
    await waitUntilReady([service], signals);
    stopping.abort();
    await stopServices([service], signals);
    expect(service.isRunning()).toBe(false);
    expect(lines).toEqual(['draining', 'drained']);
  });

  it('is killed by a second signal', async () => {
    const { service, stopping, forced, signals } = await start({ DRAIN_MS: '60000' });
    await waitUntilReady([service], signals);
    stopping.abort();
    const stopped = stopServices([service], signals);
    forced.abort();
    await stopped;
    expect(await service.exited).toBe('SIGKILL');
  });

  it('stops the installation with its log path when it exits permanently', async () => {
    const { service, signals } = await start();
    await waitUntilReady([service], signals);
    const end = waitUntilStopped([service], signals, (name) => `/logs/${name}.log`);
    service.kill();
    await expect(end).rejects.toThrow('The thing exited (SIGKILL). See /logs/thing.log');
  });

  it('that exits before it is ready does not cause an endless wait', async () => {
    const { service, signals } = await start({}, path.join(folder, 'missing.mjs'));
    await expect(waitUntilReady([service], signals)).rejects.toThrow('The thing did not start');
  });
});
