import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { isMissing } from '@tollgate/testing/missing-tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../app.ts';
import { drain, listen } from '../listen.ts';
import { createTestProvider } from '../payments/test-provider.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
const lacksNginx = isMissing('nginx', hasNginx, 'the console behind nginx');

describe.skipIf(lacksNginx)('behind the default proxy_pass of nginx', () => {
  let site: TestConsole;
  let server: Awaited<ReturnType<typeof listen>>;
  let nginx: ChildProcess;
  let origin = '';
  const dir = mkdtempSync(path.join(tmpdir(), 'tollgate-nginx-'));

  beforeAll(async () => {
    const [port, proxyPort] = [await findFreePort(), await findFreePort()];
    site = await createTestConsole({ publicConsoleUrl: `http://127.0.0.1:${port}` }, (options) =>
      createTestProvider({ ...options, webhookSecret: 'whsec_test' }),
    );
    server = await listen(createApp(site.deps), { host: '127.0.0.1', port });
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const conf = `
      daemon off; pid nginx.pid; error_log stderr;
      events {}
      http {
        access_log off;
        ${paths.map((name) => `${name}_temp_path ${name};`).join(' ')}
        server { listen 127.0.0.1:${proxyPort}; location / { proxy_pass http://127.0.0.1:${port}; } }
      }`;
    writeFileSync(path.join(dir, 'nginx.conf'), conf);
    nginx = spawn('nginx', ['-p', dir, '-c', 'nginx.conf'], { stdio: 'ignore' });
    origin = `http://127.0.0.1:${proxyPort}`;
    const isUp = () =>
      fetch(`${origin}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isUp()) && nginx.exitCode === null) await sleep(50);
  });
  afterAll(async () => {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    await drain(server);
    await site[Symbol.asyncDispose]();
    rmSync(dir, { recursive: true, force: true });
  });

  const listMails = (cookie = '') =>
    fetch(`${origin}/trpc/mailbox.list?input=%7B%7D`, { headers: { cookie } });

  it('shows a stranger neither the mailbox nor a payment page', async () => {
    expect((await listMails()).status).toBe(404);
    const opened = await fetch(`${origin}/dev/open?token=guess`, { redirect: 'manual' });
    expect([opened.status, opened.headers.getSetCookie()]).toEqual([404, []]);
    const paid = await fetch(`${origin}/dev/pay/pay_1`, { redirect: 'manual' });
    expect(paid.headers.get('location')).toBe('/sign-in');
    const session = await (await fetch(`${origin}/trpc/session.get`)).text();
    expect(session).toContain('"mailbox":false');
  });

  it('opens the mailbox to the secret printed at startup', async () => {
    const opened = await fetch(`${origin}/dev/open?token=local-tools-token`, { redirect: 'manual' });
    const [cookie = ''] = opened.headers.getSetCookie();
    expect((await listMails(cookie.split(';')[0])).status).toBe(200);
  });
});
