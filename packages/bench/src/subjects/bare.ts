import { fileURLToPath } from 'node:url';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { startChild } from '../host/child.ts';
import { baseEnv, type Harness, type SubjectServer } from './subject.ts';

const PROXY = fileURLToPath(new URL('bare-proxy.ts', import.meta.url));

/** What the runtime itself allows: see bare-proxy.ts. */
export async function startBareProxy(harness: Harness, upstreamUrl: string): Promise<SubjectServer> {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const child = await startChild({
    name: 'bare',
    command: process.execPath,
    args: [PROXY, String(port), new URL(upstreamUrl).origin],
    env: baseEnv(),
    core: harness.core,
    taskset: harness.tools.taskset,
    dir: harness.dir,
    readyUrl: baseUrl,
    signal: harness.signal,
  });
  return { name: 'bare', baseUrl, headers: {}, ...child };
}
