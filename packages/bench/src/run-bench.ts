import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUSY, measureBackgroundLoad } from './host/background-load.ts';
import { chooseCores, pinSelf } from './host/cores.ts';
import { findTools } from './host/tools.ts';
import { CAST_PARTS, CONTENDER_PARTS, type BenchOptions } from './options.ts';
import type { BenchResult } from './result.ts';
import { NO_CAST, runCast } from './run-cast.ts';
import { NO_CONTENDERS, runContenders } from './run-contenders.ts';
import { buildThisApi } from './subjects/api-source.ts';
import type { Harness } from './subjects/subject.ts';

/** Starts everything on two cores and in a temporary folder, measures it, and ends everything, also on an abort. */
export async function runBench(
  options: BenchOptions,
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<BenchResult> {
  const tools = findTools(process.env['PATH'] ?? '');
  const cores = chooseCores(options.cores);
  // On all cores.
  const api = await buildThisApi(signal, onProgress);
  // wrk, the upstreams, the stream client and PostgreSQL come after this and share the load's core.
  pinSelf(tools.taskset, cores.load);
  await using resources = new AsyncDisposableStack();
  const dir = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'));
  resources.defer(() => rmSync(dir, { recursive: true, force: true }));
  chmodSync(dir, 0o755); // PostgreSQL may run as another user.
  const harness: Harness = { dir, tools, core: cores.underTest, signal, api };
  const measureLoad = () => measureBackgroundLoad([cores.underTest, cores.load], signal);

  const loadBefore = await measureLoad();
  if (loadBefore > BUSY) onProgress(`other programs use ${Math.round(loadBefore * 100)} % of the two cores`);
  if (options.against !== undefined) onProgress(`installing ${options.against} to compare with`);
  const isAsked = (parts: readonly string[]) => [...options.parts].some((part) => parts.includes(part));
  const cast = isAsked(CAST_PARTS) ? await runCast(harness, cores, options, onProgress) : NO_CAST;
  const contenders = isAsked(CONTENDER_PARTS)
    ? await runContenders({ ...harness, dir: makeFolder(dir) }, options, onProgress)
    : NO_CONTENDERS;
  const loadAfter = await measureLoad();
  return {
    ...cast,
    ...contenders,
    against: cast.against ?? contenders.against,
    books: [...cast.books, ...contenders.books],
    backgroundLoad: Math.max(loadBefore, loadAfter),
  };
}

/** The two kinds of parts have separate database servers. */
function makeFolder(dir: string): string {
  const folder = path.join(dir, 'contenders');
  mkdirSync(folder, { mode: 0o755 });
  return folder;
}
