import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { startChild } from '../host/child.ts';
import type { InstantUpstream } from '../subjects/instant-upstream.ts';
import { baseEnv, type Harness, type SubjectServer } from '../subjects/subject.ts';
import type { PeerServer } from './peer.ts';

const PACKAGE = 'litellm[proxy]==1.106.0';
/** It refuses to start without one, or with one that is easy to guess. */
const MASTER_KEY = `sk-${randomBytes(24).toString('hex')}`;
const INSTALL_TIMEOUT_MS = 10 * 60_000;
const READY_TIMEOUT_MS = 180_000;

const run = promisify(execFile);

/** LiteLLM's proxy with one worker, without a database: it checks its one key and keeps no books. */
export async function startLitellm(harness: Harness, upstream: InstantUpstream): Promise<PeerServer> {
  const command = await install(harness.signal);
  const port = await findFreePort();
  const config = path.join(harness.dir, 'litellm.yaml');
  writeFileSync(config, encodeConfig(upstream));
  const child = await startChild({
    name: 'litellm',
    command,
    args: ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
    env: { ...baseEnv(), LITELLM_MASTER_KEY: MASTER_KEY, LITELLM_LOG: 'ERROR', LITELLM_TELEMETRY: 'False' },
    core: harness.core,
    taskset: harness.tools.taskset,
    dir: harness.dir,
    readyUrl: `http://127.0.0.1:${port}/health/liveliness`,
    readyTimeoutMs: READY_TIMEOUT_MS,
    signal: harness.signal,
  });
  const subject: SubjectServer = {
    name: 'litellm',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    headers: { authorization: `Bearer ${MASTER_KEY}` },
    ...child,
  };
  return {
    json: subject,
    sse: subject,
    note: 'checks one key, no database',
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

function encodeConfig({ json, sse }: InstantUpstream): string {
  const model = (name: string, baseUrl: string) => [
    `  - model_name: ${name}`,
    '    litellm_params:',
    `      model: openai/${name}`,
    `      api_base: ${baseUrl}`,
    '      api_key: upstream-credential',
  ];
  const lines = ['model_list:', ...model('bench-model', json), ...model('bench-stream', sse)];
  return `${[...lines, 'litellm_settings:', '  telemetry: false'].join('\n')}\n`;
}

/** In a virtual environment outside the repository, which later runs use again. @returns the program */
async function install(signal: AbortSignal): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const folder = path.join(cache, 'tollgate-bench', PACKAGE.replaceAll(/[^a-z0-9.]+/g, '-'));
  const program = path.join(folder, 'bin/litellm');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const options = { timeout: INSTALL_TIMEOUT_MS, signal };
  await run('python3', ['-m', 'venv', folder], options);
  await run(path.join(folder, 'bin/pip'), ['install', '--quiet', PACKAGE], options);
  return program;
}
