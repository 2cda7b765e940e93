import type { Contender } from '../subjects/contender.ts';
import { goFirst, keepAwake } from '../host/steady-cores.ts';
import { percentile } from '../statistics.ts';
import { startApis } from '../subjects/apis.ts';
import type { InstantUpstream } from '../subjects/instant-upstream.ts';
import type { Harness, Subject } from '../subjects/subject.ts';
import { runWrk } from '../throughput/wrk.ts';
import { askInTurn } from './ask-in-turn.ts';

const FLOOD_CONNECTIONS = 64;
const FLOOD_SECONDS = 2;
/** Requests of one turn; the subjects take turns within a round. */
const REQUESTS_PER_TURN = 100;
/** After a flood: what it left behind is mostly done after so many requests. */
const REQUESTS_AFTER_FLOOD = 200;

/** Percentiles of the time from the write of a request to the end of its answer. */
interface Times {
  p50Ms: number;
  p99Ms: number;
}

export interface SingleRounds {
  name: string;
  /** One request at a time, with nothing else. */
  quiet: Times[];
  /** The same directly after many at once. */
  afterFlood: Times[];
}

export interface SingleOptions {
  upstream: InstantUpstream;
  profileDir: string | undefined;
  rounds: number;
  seconds: number;
  warmupSeconds: number;
  onProgress: (line: string) => void;
}

interface Running {
  subject: Subject;
  url: URL;
  result: SingleRounds;
}

/** Asks the upstream straight and through each contender, one request at a time and in turns. The first result is the upstream. */
export async function measureSingle(
  harness: Harness,
  contenders: readonly Contender[],
  options: SingleOptions,
): Promise<SingleRounds[]> {
  const { upstream, rounds, seconds, warmupSeconds, onProgress } = options;
  await using apis = await startApis(harness, contenders, { ...options, part: 'single' });
  const direct: Subject = { name: 'direct', baseUrl: upstream.json, headers: {}, pid: 0 };
  const subjects = [direct, ...apis.all.flatMap((api) => [api, api.metered])];
  const all = subjects.map((subject): Running => {
    const result = { name: subject.name, quiet: [], afterFlood: [] };
    return { subject, url: new URL(`${subject.baseUrl}/chat/completions`), result };
  });
  for (const { subject } of all) {
    onProgress(`single  warming up ${subject.name}`);
    await runWrk(harness, subject, { connections: FLOOD_CONNECTIONS, seconds: warmupSeconds });
  }
  using awake = keepAwake();
  for (let round = 1; round <= rounds; round++) {
    const times = all.map((): number[] => []);
    const untilMs = performance.now() + seconds * all.length * 1000;
    {
      using first = goFirst(harness.tools);
      if (awake === null || first === null) onProgress('single  only root can keep the cores awake');
      while (performance.now() < untilMs)
        for (const [index, running] of all.entries())
          times[index]?.push(...(await ask(running, REQUESTS_PER_TURN, harness.signal)));
    }
    for (const [index, running] of all.entries()) {
      const { subject, result } = running;
      result.quiet.push(summarise(times[index] ?? []));
      await runWrk(harness, subject, { connections: FLOOD_CONNECTIONS, seconds: FLOOD_SECONDS });
      using _first = goFirst(harness.tools);
      result.afterFlood.push(summarise(await ask(running, REQUESTS_AFTER_FLOOD, harness.signal)));
      const { p50Ms, p99Ms } = result.quiet.at(-1) ?? { p50Ms: Number.NaN, p99Ms: Number.NaN };
      onProgress(
        `single ${round}/${rounds}  ${subject.name}  ${p50Ms.toFixed(3)} ms p50, ${p99Ms.toFixed(3)} ms p99`,
      );
    }
  }
  return all.map(({ result }) => result);
}

function ask({ subject, url }: Running, requests: number, signal: AbortSignal): Promise<number[]> {
  return askInTurn({ url, headers: subject.headers, requests, signal });
}

function summarise(times: readonly number[]): Times {
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}

/** What a subject adds to the upstream's own time, in each round. */
export function addedTimes(
  subject: SingleRounds,
  direct: SingleRounds,
  when: 'quiet' | 'afterFlood',
  share: 'p50Ms' | 'p99Ms',
): number[] {
  return subject[when].map((times, round) => times[share] - (direct[when][round]?.[share] ?? Number.NaN));
}
