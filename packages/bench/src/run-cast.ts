import type { Cast } from './cast.ts';
import { startCast } from './cast.ts';
import { measureGrowth } from './growth/measure.ts';
import { measureHostile } from './hostile/measure.ts';
import type { Cores } from './host/cores.ts';
import { readMemoryMb } from './host/process-usage.ts';
import { measureLatency } from './latency/measure.ts';
import type { BenchOptions, CAST_PARTS } from './options.ts';
import type { BenchResult } from './result.ts';
import { countChunks, measureStreams } from './streams/measure.ts';
import { countRecorded, untilRecorded } from './subjects/database-activity.ts';
import type { Harness } from './subjects/subject.ts';
import { readLedgerSnapshot, type LedgerSnapshot } from './throughput/ledger-snapshot.ts';
import { measureThroughput } from './throughput/rounds.ts';
import { measureTranslation } from './translation/measure.ts';

const CONNECTIONS = 64;
/** Of metered requests: as many wait for a transaction together as come in while the one before is written. */
const METERED_CONNECTIONS = 256;
const CHUNKS_PER_SECOND = 50;
const STREAM_ROUNDS = 3;

type CastPart = (typeof CAST_PARTS)[number];
type CastResult = Pick<
  BenchResult,
  CastPart | 'against' | 'books' | 'answered' | 'recorded' | 'gatewayMemoryMb'
>;

/** Nothing of this was asked for. */
export const NO_CAST: CastResult = {
  throughput: null,
  streams: null,
  translation: null,
  metered: null,
  latency: null,
  hostile: null,
  growth: null,
  against: null,
  books: [],
  answered: 0,
  recorded: 0,
  gatewayMemoryMb: null,
};

/** Starts the gateway and the servers that it is compared with, measures them, and ends them. */
export async function runCast(
  harness: Harness,
  cores: Cores,
  options: BenchOptions,
  onProgress: (line: string) => void,
): Promise<CastResult> {
  onProgress('starting the upstreams, nginx, Portkey, the database and the gateway');
  await using cast = await startCast(harness, {
    chunksPerStream: countChunks(options.seconds, CHUNKS_PER_SECOND),
    chunksPerSecond: CHUNKS_PER_SECOND,
    loadCore: cores.load,
    profileDir: options.profileDir,
    against: options.against,
  });
  const since = new Date();
  const started = readMemoryMb(cast.gateway.pid).now;
  const measured = await measureParts(harness, cast, options, onProgress);
  onProgress('reading the books');
  const { signal } = harness;
  const counts = countAnswered(measured, options);
  const recorded = await countRecorded(cast.database.db, counts.answered, signal);
  const books: LedgerSnapshot[] = [];
  if (counts.metered > 0)
    books.push(
      await readLedgerSnapshot(cast.database, { answered: counts.metered, since, isUniform: true, signal }),
    );
  return {
    ...measured,
    against: cast.against?.name ?? null,
    books: [...books, ...(measured.growth?.books ?? [])],
    answered: counts.answered,
    recorded,
    gatewayMemoryMb: { started, end: readMemoryMb(cast.gateway.pid).now },
  };
}

type Measured = Pick<BenchResult, CastPart>;

/** The memory of streams is looked at before metered requests fill the windows of their limits. */
async function measureParts(
  harness: Harness,
  cast: Cast,
  options: BenchOptions,
  onProgress: (line: string) => void,
): Promise<Measured> {
  const { gateway, nginx, portkey, bare, streamBare, upstreams, against } = cast;
  const others = (kind: 'open' | 'metered') => {
    if (against === null) return [];
    return [kind === 'open' ? against : against.metered];
  };
  /** What a part leaves behind is written before the next begins. */
  const part = async <T>(name: CastPart, measure: () => Promise<T>): Promise<T | null> => {
    if (!options.parts.has(name)) return null;
    await untilRecorded(cast.database.db, harness.signal);
    return measure();
  };
  const load = { ...options, connections: CONNECTIONS, onProgress };
  const meteredLoad = { ...load, connections: METERED_CONNECTIONS };
  const chunksPerStream = countChunks(options.seconds, CHUNKS_PER_SECOND);
  const streaming = {
    ...options,
    chunksPerStream,
    rounds: streamRounds(options),
    signal: harness.signal,
    onProgress,
  };
  const direct = { name: 'direct', baseUrl: upstreams.streams };
  return {
    throughput: await part('throughput', () =>
      measureThroughput(harness, [nginx, portkey, bare, gateway, ...others('open')], load),
    ),
    streams: await part('streams', () => measureStreams(direct, [streamBare, gateway], streaming)),
    translation: await part('translation', () =>
      measureTranslation(gateway, { ...streaming, firstByteUrl: upstreams.firstByte }),
    ),
    metered: await part('metered', () =>
      measureThroughput(harness, [portkey, gateway, gateway.metered, ...others('metered')], meteredLoad),
    ),
    latency: await part('latency', () =>
      measureLatency(harness, [gateway, gateway.metered], { ...load, directUrl: upstreams.delayed }),
    ),
    hostile: await part('hostile', () => measureHostile(harness, { ...options, upstreams, onProgress })),
    growth: await part('growth', () => measureGrowth(harness, cast.server, { ...meteredLoad, upstreams })),
  };
}

/** How many requests to the gateway were answered, and how many of these were metered. */
function countAnswered(measured: Measured, options: BenchOptions): { answered: number; metered: number } {
  const { throughput, streams, translation, metered, latency } = measured;
  const sum = (name: string) =>
    [throughput, metered, latency]
      .flatMap((results) => results ?? [])
      .filter((result) => result.name === name)
      .reduce((total, { answered }) => total + answered, 0);
  const streamed = streams === null ? 0 : streamRounds(options) * options.streams;
  const ofMetered = sum('metered');
  return {
    metered: ofMetered,
    answered: sum('gateway') + ofMetered + streamed + (translation?.answered ?? 0),
  };
}

function streamRounds({ quick }: BenchOptions): number {
  return quick ? 1 : STREAM_ROUNDS;
}
