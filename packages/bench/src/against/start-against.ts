import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ApiProgram } from '@tollgate/cli/start/api-program';
import { openDatabase } from '@tollgate/db/client';
import type { ApiDatabase } from '../subjects/api-process.ts';
import { findLedgerBackends } from '../subjects/database-activity.ts';
import type { BenchDatabaseOptions } from '../subjects/gateway-database.ts';
import type { Harness } from '../subjects/subject.ts';
import type { Contender } from '../subjects/contender.ts';
import { checkOut } from './checkout.ts';

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url));
const START_TIMEOUT_MS = 60_000;

/** Checks the commit out and installs it, with its own database server. @throws Error if one of these fails */
export async function startAgainst(harness: Harness, commit: string): Promise<Contender & AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const { folder, name } = resources.use(checkOut(commit, harness.dir));
  const dir = path.join(harness.dir, 'against');
  mkdirSync(dir);
  const child = spawn(process.execPath, [SERVE, folder, dir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<null>((resolve) => {
    child.once('exit', () => resolve(null));
    child.once('error', () => resolve(null));
  });
  resources.defer(async () => {
    child.stdin.end();
    await exited;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<unknown> => {
    const timeout = AbortSignal.any([harness.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
    const aborted = new Promise<null>((resolve) => timeout.addEventListener('abort', () => resolve(null)));
    const next = await Promise.race([lines.next(), exited, aborted]);
    if (next === null || next.done === true)
      throw new Error(`The gateway of ${name} does not start: its messages are above`);
    return JSON.parse(next.value);
  };
  const program = (await readLine()) as ApiProgram;
  const connections = resources.use(new AsyncDisposableStack());
  const createDatabase = async (options: BenchDatabaseOptions): Promise<ApiDatabase> => {
    child.stdin.write(`${JSON.stringify(options)}\n`);
    const created = (await readLine()) as Omit<ApiDatabase, 'findBackends'>;
    const db = openDatabase(created.url, { maxConnections: 1, applicationName: 'tollgate-bench' });
    connections.defer(() => db.close());
    return { ...created, name: `${name}-${created.name}`, findBackends: () => findLedgerBackends(db) };
  };
  const owned = resources.move();
  return {
    source: { name, ...program },
    checkout: folder,
    createDatabase,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
