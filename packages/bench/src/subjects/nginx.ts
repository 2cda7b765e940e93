import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { startChild } from '../host/child.ts';
import { ANSWER_BODY } from './completion.ts';
import { baseEnv, type Harness, type SubjectServer } from './subject.ts';

/** More than any run sends: by default nginx closes a connection after 1,000 requests. */
const MANY = 1_000_000_000;

/**
 * The provider that answers at once. nginx is what answers fastest from one core, well above what any subject relays,
 * so that the subject stays the bottleneck.
 */
export async function startUpstream(harness: Harness, core: number): Promise<SubjectServer> {
  return startNginx('upstream', { ...harness, core }, (port) => [
    'server {',
    `  listen 127.0.0.1:${port} backlog=4096;`,
    '  default_type application/json;',
    `  location / { return 200 '${ANSWER_BODY}'; }`,
    '}',
  ]);
}

/** The yardstick: the least that a reverse proxy can do for a request, in C. One worker, connections kept. */
export async function startNginxProxy(harness: Harness, upstreamUrl: string): Promise<SubjectServer> {
  return startNginx('nginx', harness, (port) => [
    `upstream provider { server ${new URL(upstreamUrl).host}; keepalive 256; keepalive_requests ${MANY}; }`,
    'server {',
    `  listen 127.0.0.1:${port} backlog=4096;`,
    '  location / {',
    '    proxy_pass http://provider;',
    '    proxy_http_version 1.1;',
    '    proxy_set_header Connection "";',
    '  }',
    '}',
  ]);
}

async function startNginx(
  name: string,
  harness: Harness,
  servers: (port: number) => string[],
): Promise<SubjectServer> {
  const dir = path.join(harness.dir, name);
  mkdirSync(dir);
  const port = await findFreePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = [
    'daemon off;',
    'master_process off;', // One process, whose pid is measured.
    'worker_processes 1;',
    `pid ${dir}/nginx.pid;`,
    'error_log stderr warn;',
    'events { worker_connections 8192; }',
    'http {',
    '  access_log off;',
    `  keepalive_requests ${MANY};`,
    '  keepalive_timeout 600s;',
    ...temporary.map((kind) => `  ${kind}_temp_path ${dir}/${kind};`),
    ...servers(port).map((line) => `  ${line}`),
    '}',
  ];
  const configFile = path.join(dir, 'nginx.conf');
  writeFileSync(configFile, `${config.join('\n')}\n`);
  const child = await startChild({
    name,
    command: harness.tools.nginx,
    args: ['-p', dir, '-c', configFile, '-e', 'stderr'],
    env: baseEnv(),
    core: harness.core,
    taskset: harness.tools.taskset,
    dir,
    readyUrl: `http://127.0.0.1:${port}/v1/models`,
    signal: harness.signal,
  });
  return { name, baseUrl: `http://127.0.0.1:${port}/v1`, headers: {}, ...child };
}
