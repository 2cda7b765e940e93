import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limitCpu } from '../host/cpu-limit.ts';
import { listChildren } from '../host/process-tree.ts';
import { median } from '../statistics.ts';
import { startApi, type Api } from '../subjects/api-process.ts';
import type { Contender } from '../subjects/contender.ts';
import type { InstantUpstream } from '../subjects/instant-upstream.ts';
import { STREAM_REQUEST } from '../subjects/sse-answer.ts';
import type { Harness, Subject } from '../subjects/subject.ts';
import { measureThroughput, type SubjectRounds } from '../throughput/rounds.ts';

/** Of a core, for each worker: two of them and the supervisor fit on the core under test, and the load on the other. */
const SHARE = 0.3;
/** Many, because the kernel spreads connections over workers by chance. */
const CONNECTIONS = 256;
const METERED_KEYS = 8;

/** One kind of requests, with one worker and with two. */
export interface WorkersScenario {
  name: string;
  one: SubjectRounds;
  two: SubjectRounds;
}

export type WorkersResult =
  | { kind: 'none'; commit: string }
  | {
      kind: 'measured';
      /** Each worker limited to a share of a core; null: the system does not allow it. */
      limited: WorkersScenario[] | null;
      /** Without a limit, all on one core: only the processor time of a request counts. */
      shared: WorkersScenario[];
    };

export interface WorkersOptions {
  upstream: InstantUpstream;
  rounds: number;
  seconds: number;
  warmupSeconds: number;
  onProgress: (line: string) => void;
}

/**
 * Compares two workers of the working tree with one. The machine may have no core for each worker and the load, so each worker
 * gets the same share of one core: that shows what the second one adds and what sharing the port and the limits costs. What
 * it cannot show is that two cores compete for memory bandwidth and caches.
 */
export async function measureWorkers(
  harness: Harness,
  { source, checkout, createDatabase }: Contender,
  options: WorkersOptions,
): Promise<WorkersResult> {
  const { upstream, onProgress } = options;
  if (!readFileSync(path.join(checkout, 'api/src/env.ts'), 'utf8').includes('API_WORKERS')) {
    onProgress('workers  this commit has no API_WORKERS');
    return { kind: 'none', commit: source.name };
  }
  const { json: instant, sse: streams } = upstream;
  const upstreams = { instant, streams, firstByte: instant, delayed: instant };
  const measureWith = async (
    limit: (api: Api) => AsyncDisposable | null,
  ): Promise<WorkersScenario[] | null> => {
    await using resources = new AsyncDisposableStack();
    const apis: Api[] = [];
    for (const workers of [1, 2]) {
      databases += 1;
      const name = `workers-${databases}`;
      const database = await createDatabase({ name, upstreams, meteredKeys: METERED_KEYS });
      // The group of a process is removed after it, so it is registered before it.
      const groups = resources.use(new AsyncDisposableStack());
      const env = { API_WORKERS: String(workers) };
      const api = resources.use(await startApi(harness, source, database, { env, readyPath: '/readyz' }));
      const group = limit(api);
      if (group === null) return null;
      groups.use(group);
      apis.push(api);
    }
    const [one, two] = apis;
    if (one === undefined || two === undefined) return null;
    return await measureScenarios(harness, one, two, options);
  };
  onProgress(`workers  each limited to ${SHARE * 100} % of a core`);
  const limited = await measureWith(limitWorkers);
  if (limited === null) onProgress('workers  only root can limit a process to a share of a core');
  onProgress('workers  without a limit');
  const shared = await measureWith(() => new AsyncDisposableStack());
  return { kind: 'measured', limited, shared: shared ?? [] };
}

let databases = 0;

/** With one worker, the api is that process. */
function limitWorkers(api: Api): AsyncDisposable | null {
  const children = listChildren(api.pid);
  const groups = new AsyncDisposableStack();
  for (const pid of children.length === 0 ? [api.pid] : children) {
    const group = limitCpu(pid, SHARE);
    if (group === null) return null;
    groups.use(group);
  }
  return groups;
}

async function measureScenarios(
  harness: Harness,
  one: Api,
  two: Api,
  options: WorkersOptions,
): Promise<WorkersScenario[]> {
  const kinds: [string, (api: Api) => Subject, string | undefined][] = [
    ['JSON', (api) => api, undefined],
    ['JSON metered', (api) => api.metered, undefined],
    ['SSE', (api) => api, STREAM_REQUEST],
  ];
  const scenarios: WorkersScenario[] = [];
  for (const [name, choose, body] of kinds) {
    const subjects = [
      { ...choose(one), name: `${name} 1` },
      { ...choose(two), name: `${name} 2` },
    ];
    const load = { ...options, connections: CONNECTIONS, ...(body === undefined ? {} : { body }) };
    const [ofOne, ofTwo] = await measureThroughput(harness, subjects, load);
    if (ofOne !== undefined && ofTwo !== undefined) scenarios.push({ name, one: ofOne, two: ofTwo });
  }
  return scenarios;
}

/** Requests per second with two workers over those with one, in each round. */
export function speedUps({ one, two }: WorkersScenario): number[] {
  return two.rounds.map(
    (round, at) => round.requestsPerSecond / (one.rounds[at]?.requestsPerSecond ?? Number.NaN),
  );
}

/** What two workers on two cores could reach at most: twice the ratio of the processor times of a request. */
export function possibleSpeedUp({ one, two }: WorkersScenario): number {
  return 2 * median(two.rounds.map((round, at) => (one.rounds[at]?.ownUs ?? Number.NaN) / round.ownUs));
}
