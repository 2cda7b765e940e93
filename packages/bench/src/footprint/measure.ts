import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM_REQUEST } from '../subjects/sse-answer.ts';
import { readTreeCpuSeconds } from '../host/process-tree.ts';
import { readMemoryMb } from '../host/process-usage.ts';
import { median } from '../statistics.ts';
import { startApi } from '../subjects/api-process.ts';
import type { Contender } from '../subjects/contender.ts';
import type { InstantUpstream } from '../subjects/instant-upstream.ts';
import type { Harness } from '../subjects/subject.ts';
import { runWrk } from '../throughput/wrk.ts';

const REST_SECONDS = 5;
const SAMPLE_MS = 50;
const CONNECTIONS = 64;

/** Resident memory in MB. */
interface Memory {
  medianMb: number;
  peakMb: number;
}

interface Footprint {
  /** From the spawn of the api on a migrated database to the first 200 of `/readyz`. */
  readyMs: number;
  /** Processor time until then, which other programs do not change; the kernel counts it in steps of 10 ms. */
  readyCpuMs: number;
  restMb: number;
  json: Memory;
  sse: Memory;
}

export interface FootprintRounds {
  name: string;
  rounds: Footprint[];
}

export interface FootprintOptions {
  upstream: InstantUpstream;
  rounds: number;
  seconds: number;
  onProgress: (line: string) => void;
}

/** Starts a new process of each contender in each round: how soon it is ready, and its memory at rest and under load. */
export async function measureFootprint(
  harness: Harness,
  contenders: readonly Contender[],
  options: FootprintOptions,
): Promise<FootprintRounds[]> {
  const { json: instant, sse: streams } = options.upstream;
  const upstreams = { instant, streams, firstByte: instant, delayed: instant };
  const all = [];
  for (const { source, createDatabase } of contenders) {
    const database = await createDatabase({ name: 'footprint', upstreams, meteredKeys: 1 });
    const result: FootprintRounds = { name: source.name, rounds: [] };
    all.push({ source, database, result });
  }
  for (let round = 1; round <= options.rounds; round++)
    for (const { source, database, result } of all) {
      await using api = await startApi(harness, source, database, { readyPath: '/readyz' });
      const readyCpuMs = readTreeCpuSeconds(api.pid) * 1000;
      await sleep(REST_SECONDS * 1000, undefined, { signal: harness.signal });
      const restMb = readMemoryMb(api.pid).now;
      const load = { connections: CONNECTIONS, seconds: options.seconds };
      const json = await sampleDuring(api.pid, () => runWrk(harness, api.metered, load));
      const sse = await sampleDuring(api.pid, () =>
        runWrk(harness, api.metered, { ...load, body: STREAM_REQUEST }),
      );
      result.rounds.push({ readyMs: api.readyMs, readyCpuMs, restMb, json, sse });
      options.onProgress(
        `footprint ${round}/${options.rounds}  ${source.name}  ready in ${api.readyMs.toFixed(0)} ms, ${restMb.toFixed(0)} MB at rest, ${json.peakMb.toFixed(0)} MB with JSON, ${sse.peakMb.toFixed(0)} MB with SSE`,
      );
    }
  return all.map(({ result }) => result);
}

async function sampleDuring(pid: number, run: () => Promise<unknown>): Promise<Memory> {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(readMemoryMb(pid).now), SAMPLE_MS);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return { medianMb: median(samples), peakMb: Math.max(...samples) };
}
