import { readCpuSeconds } from '../host/process-usage.ts';
import { median, medianRatio } from '../statistics.ts';
import { runStreams } from '../streams/client.ts';
import type { Subject } from '../subjects/subject.ts';
import { measureFirstByte, type FirstByteTimes } from './first-byte.ts';

/** Few enough that neither way fills the core: what is compared is the time that a chunk takes of it. */
const STREAMS = 300;
const REQUESTS_PER_SECOND = 200;
const WARMUP_SECONDS = 3;

export interface TranslationResult {
  /** Chunks that the gateway carries in a second of its processor's time, of each round. */
  relayed: number[];
  translated: number[];
  chunksLost: number;
  /** Of requests at a fixed rate: straight to the provider, and through the translating gateway. */
  firstByte: { direct: FirstByteTimes[]; gateway: FirstByteTimes[] };
  /** Requests that the gateway answered in all of this. */
  answered: number;
}

export interface TranslationOptions {
  chunksPerStream: number;
  /** Base URL of the provider that has its whole answer ready. */
  firstByteUrl: string;
  rounds: number;
  seconds: number;
  signal: AbortSignal;
  onProgress: (line: string) => void;
}

/** Compares streams that the gateway translates with streams that it relays, and takes the time to the first text. */
export async function measureTranslation(
  gateway: Subject,
  options: TranslationOptions,
): Promise<TranslationResult> {
  const { rounds, seconds, signal, onProgress } = options;
  const url = new URL(`${gateway.baseUrl}/chat/completions`);
  const result: TranslationResult = {
    relayed: [],
    translated: [],
    chunksLost: 0,
    firstByte: { direct: [], gateway: [] },
    answered: rounds * (2 * STREAMS + REQUESTS_PER_SECOND * seconds),
  };
  const carry = async (model: string) => {
    const before = readCpuSeconds(gateway.pid);
    const load = { ...options, url, headers: gateway.headers, model, streams: STREAMS };
    const { lost, outOfOrder, incomplete } = await runStreams(load);
    result.chunksLost += lost + outOfOrder + incomplete;
    return (STREAMS * options.chunksPerStream) / (readCpuSeconds(gateway.pid) - before);
  };
  const rate = { requestsPerSecond: REQUESTS_PER_SECOND, seconds, signal, model: 'bench-first-byte' };
  const straight = new URL(`${options.firstByteUrl}/messages`);
  // Translation has not run yet: its first second is the compiler's.
  onProgress('translation  warming up');
  const warmup = await measureFirstByte({ ...rate, seconds: WARMUP_SECONDS, url, headers: gateway.headers });
  result.answered += warmup.requests;
  for (let round = 1; round <= rounds; round++) {
    onProgress(`translation ${round}/${rounds}  first byte`);
    result.firstByte.direct.push(await measureFirstByte({ ...rate, url: straight, headers: {} }));
    result.firstByte.gateway.push(await measureFirstByte({ ...rate, url, headers: gateway.headers }));
  }
  for (let round = 1; round <= rounds; round++) {
    onProgress(`translation ${round}/${rounds}  relayed, translated`);
    result.relayed.push(await carry('bench-stream'));
    result.translated.push(await carry('bench-translated'));
  }
  return result;
}

/** How many chunks are translated for each one that is relayed in the same time, the median of the rounds. */
export function translationRatio({ relayed, translated }: TranslationResult): number {
  return medianRatio(translated, relayed);
}

/** What the gateway adds to the time to the first text, percentile by percentile, the median of the rounds. */
export function addedFirstByte({ firstByte }: TranslationResult): { p50Ms: number; p99Ms: number } {
  const added = (share: 'p50Ms' | 'p99Ms') =>
    median(
      firstByte.gateway.map(
        (times, round) => times[share] - (firstByte.direct[round]?.[share] ?? Number.NaN),
      ),
    );
  return { p50Ms: added('p50Ms'), p99Ms: added('p99Ms') };
}
