import { formatFootprint } from './footprint/format.ts';
import { formatPeers } from './peers/format.ts';
import { formatSingle } from './single/format.ts';
import { formatWorkers } from './workers/format.ts';
import { formatScenarios } from './bodies/format.ts';
import { formatGrowth } from './growth/format.ts';
import { BUSY } from './host/background-load.ts';
import { formatHostile } from './hostile/format.ts';
import { formatLatency } from './latency/format.ts';
import { formatNoise } from './noise.ts';
import type { BenchResult } from './result.ts';
import { formatStall } from './stall/format.ts';
import { formatStreams } from './streams/format.ts';
import { formatFixed } from './table.ts';
import { formatThroughput } from './throughput/format.ts';
import { formatTranslation } from './translation/format.ts';
import type { Verdict } from './verdicts.ts';

/** Everything that was measured, as text. */
export function formatReport(result: BenchResult, verdicts: readonly Verdict[]): string {
  const { throughput, streams, translation, metered, latency, hostile, growth, against } = result;
  const { bodies, sse, stall, single, footprint, workers, peers, gatewayMemoryMb } = result;
  const noise = formatNoise(result);
  const tables = [
    throughput && [
      'Throughput: 64 connections, instant upstream, medians of the rounds',
      formatThroughput(throughput, ['portkey', 'nginx', ...(against === null ? [] : [against])]),
    ],
    streams && [
      'Streams: delay of a chunk from the upstream to the client, medians of the rounds',
      formatStreams(streams),
    ],
    translation && [
      'Translation: 300 streams between two dialects, and the first text of 200 requests a second, medians of the rounds',
      formatTranslation(translation),
    ],
    metered && [
      'Metered: 256 connections, instant upstream; budget, balance, limits, each request held and settled; medians of the rounds',
      formatThroughput(metered, ['portkey', 'gateway', ...(against === null ? [] : [`${against} metered`])]),
    ],
    latency && [
      'Latency: 500 requests a second on a schedule, upstream of 20 ms, medians of the rounds',
      formatLatency(latency),
    ],
    hostile && [
      'Hostile: 100 requests a second of one tenant, upstream of 20 ms, before and during attacks by the key of another; medians of the rounds',
      formatHostile(hostile),
    ],
    growth && [
      'Growth: the same metered requests with few and with many rows, 256 connections, medians of the rounds',
      formatGrowth(growth),
    ],
    bodies && [
      'Bodies: conversations of agents, metered, instant upstream, medians of the rounds',
      formatScenarios(bodies),
    ],
    sse && ['SSE: 60 chunks at once, instant upstream, medians of the rounds', formatScenarios(sse)],
    stall && [
      'Stall: delays of the event loop of the api, by the clock and in processor time of its main thread',
      formatStall(stall),
    ],
    single && [
      'Single: one request at a time, instant upstream, and directly after 64 connections; medians of the rounds',
      formatSingle(single),
    ],
    footprint && [
      'Footprint: a new process on a migrated database; metered requests of 64 connections; medians of the rounds',
      formatFootprint(footprint),
    ],
    workers && ['Workers: 256 connections, instant upstream, medians of the rounds', formatWorkers(workers)],
    peers && [
      'Peers: 64 connections, instant upstream; in parentheses, how often the metered gateway answers meanwhile',
      formatPeers(peers),
    ],
  ];
  return [
    ...tables.flatMap((table) => (table === null ? [] : [...table, ''])),
    ...(gatewayMemoryMb === null ? [] : [formatMemory(gatewayMemoryMb)]),
    ...(noise === null ? [] : ['Noise: how much the reference differs between rounds', noise, '']),
    formatBackgroundLoad(result.backgroundLoad),
    '',
    ...verdicts.map((verdict) => verdict.text),
  ].join('\n');
}

function formatMemory({ started, end }: { started: number; end: number }): string {
  return `Memory of the gateway: ${formatFixed(started, 0)} MB when started, ${formatFixed(end, 0)} MB at the end`;
}

function formatBackgroundLoad(share: number): string {
  const text = `Other programs: ${formatFixed(share * 100, 0)} % of the two cores while nothing was measured`;
  return share > BUSY ? `${text}; what is said of speed below is no verdict` : text;
}
