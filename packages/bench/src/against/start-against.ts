import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { GatewayUpstreams } from '../subjects/gateway-database.ts';
import type { Harness, Subject } from '../subjects/subject.ts';
import { checkOut } from './checkout.ts';

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url));
const START_TIMEOUT_MS = 60_000;

/** The gateway of another commit, on the same cores and the same Node. */
export interface Against extends AsyncDisposable {
  /** The abbreviated commit, by which its results are named. */
  name: string;
  open: Subject;
  metered: Subject;
}

interface Started {
  baseUrl: string;
  pid: number;
  headers: Record<string, string>;
  meteredHeaders: Record<string, string>;
  meteredKeys: string[];
}

/** Checks the commit out, installs it, and starts its gateway with its own database. @throws Error if one of these fails */
export async function startAgainst(
  harness: Harness,
  { commit, upstreams }: { commit: string; upstreams: GatewayUpstreams },
): Promise<Against> {
  await using resources = new AsyncDisposableStack();
  const { folder, name } = resources.use(checkOut(commit, harness.dir));
  const dir = path.join(harness.dir, 'against');
  mkdirSync(dir);
  const { tools, core } = harness;
  const request = JSON.stringify({ upstreams, harness: { dir, tools, core } });
  const child = spawn(process.execPath, [SERVE, folder, request], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<null>((resolve) => {
    child.once('exit', () => resolve(null));
    child.once('error', () => resolve(null));
  });
  resources.defer(async () => {
    child.stdin.end();
    await exited;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<string> => {
    const timeout = AbortSignal.any([harness.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
    const aborted = new Promise<null>((resolve) => timeout.addEventListener('abort', () => resolve(null)));
    const next = await Promise.race([lines.next(), exited, aborted]);
    if (next === null || next.done === true)
      throw new Error(`The gateway of ${name} does not start: its messages are above`);
    return next.value;
  };
  const started = JSON.parse(await readLine()) as Started;
  const findWorkers = async () => {
    child.stdin.write('workers\n');
    return JSON.parse(await readLine()) as number[];
  };
  const subject = { name, baseUrl: started.baseUrl, pid: started.pid, findWorkers };
  const owned = resources.move();
  return {
    name,
    open: { ...subject, headers: started.headers },
    metered: {
      ...subject,
      name: `${name} metered`,
      headers: started.meteredHeaders,
      keys: started.meteredKeys,
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
