import { fileURLToPath } from 'node:url';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { startChild } from '../host/child.ts';
import { baseEnv, type Harness, type SubjectServer } from './subject.ts';

const START_SERVER = fileURLToPath(import.meta.resolve('@portkey-ai/gateway/build/start-server.js'));

/** Portkey's open-source gateway as its package starts it, without its console: it checks no key and records nothing. */
export async function startPortkey(harness: Harness, upstreamUrl: string): Promise<SubjectServer> {
  const port = await findFreePort();
  const child = await startChild({
    name: 'portkey',
    command: process.execPath,
    args: [START_SERVER, `--port=${port}`, '--headless'],
    env: baseEnv(),
    core: harness.core,
    taskset: harness.tools.taskset,
    dir: harness.dir,
    readyUrl: `http://127.0.0.1:${port}/`,
    signal: harness.signal,
  });
  return {
    name: 'portkey',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    headers: {
      authorization: 'Bearer upstream-credential',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': upstreamUrl,
    },
    ...child,
  };
}
