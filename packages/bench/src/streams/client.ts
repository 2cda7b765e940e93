import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { nowUs } from './event.ts';
import { StreamScanner } from './scanner.ts';

/** Streams are opened over this time: a thousand connections within a millisecond would measure the handshakes. */
export const RAMP_SECONDS = 2;
/** After the last stream is open, before delays count. */
export const SETTLE_SECONDS = 1;

export interface StreamLoad {
  /** Where the completion is asked for. */
  url: URL;
  headers: Record<string, string>;
  model: string;
  streams: number;
  chunksPerStream: number;
  signal: AbortSignal;
}

export interface StreamResult {
  /** From the write of a chunk by the upstream to its arrival at the client, while all streams were open. */
  delayMs: { p50: number; p99: number; max: number };
  /** Chunks whose delay was taken, per second. */
  chunksPerSecond: number;
  /** Over the whole run. */
  lost: number;
  outOfOrder: number;
  /** Streams that did not end with `[DONE]`. */
  incomplete: number;
}

/** The request for a stream of `model`. */
export function encodeStreamRequest({
  url,
  headers,
  model,
}: Pick<StreamLoad, 'url' | 'headers' | 'model'>): string {
  const body = JSON.stringify({
    model,
    stream: true,
    messages: [{ role: 'user', content: 'Say something about a fox.' }],
    max_tokens: 4096,
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const fixed = `host: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `POST ${url.pathname} HTTP/1.1\r\n${fixed}${lines.join('')}\r\n${body}`;
}

/** Reads many streams at once and takes the delay of every chunk from when all are open until the first one ends. */
export async function runStreams(load: StreamLoad): Promise<StreamResult> {
  const recorder = new DelayRecorder(load.streams * load.chunksPerStream);
  const scanners: StreamScanner[] = [];
  const ended: Promise<void>[] = [];
  const failed = new AbortController();
  const stop = AbortSignal.any([load.signal, failed.signal]);
  const startedMs = performance.now();
  // By the clock and not by pauses, which grow on a busy machine until the first stream ends before the last begins.
  const sleepUntil = async (dueMs: number) => {
    const restMs = dueMs - performance.now();
    if (restMs >= 1) await sleep(restMs, undefined, { signal: stop }).catch(() => undefined);
  };
  for (let index = 0; index < load.streams; index++) {
    const scanner = new StreamScanner((sentUs) => recorder.add(sentUs));
    scanners.push(scanner);
    const end = readStream(load, scanner, stop).finally(() => recorder.stop());
    // One broken stream ends the run at once; its error is thrown by Promise.all below.
    end.catch((error: unknown) => failed.abort(error));
    ended.push(end);
    await sleepUntil(startedMs + ((index + 1) / load.streams) * RAMP_SECONDS * 1000);
  }
  await sleepUntil(startedMs + (RAMP_SECONDS + SETTLE_SECONDS) * 1000);
  recorder.start();
  await Promise.all(ended);
  const received = scanners.reduce((sum, scanner) => sum + scanner.received, 0);
  return {
    ...recorder.summarise(),
    lost: load.streams * load.chunksPerStream - received,
    outOfOrder: scanners.reduce((sum, scanner) => sum + scanner.outOfOrder, 0),
    incomplete: scanners.filter((scanner) => !scanner.isComplete).length,
  };
}

// A read is handed on before the next one, so that all sockets can share one buffer.
const SHARED_BUFFER = Buffer.alloc(65_536);

function readStream(load: StreamLoad, scanner: StreamScanner, signal: AbortSignal): Promise<void> {
  const { url } = load;
  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    const socket = connect({
      host: url.hostname,
      port: Number(url.port),
      noDelay: true,
      onread: {
        buffer: SHARED_BUFFER,
        callback: (length) => {
          try {
            scanner.push(SHARED_BUFFER, length);
          } catch (error) {
            end(error instanceof Error ? error : new Error(String(error)));
            return false;
          }
          if (scanner.isEnded) end();
          return true;
        },
      },
    });
    const onAbort = () => end(signal.reason instanceof Error ? signal.reason : new Error('Interrupted'));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    socket.once('error', end);
    // A connection that closes in the middle of a stream counts its missing chunks as lost.
    socket.once('close', () => end());
    socket.write(encodeStreamRequest(load), 'latin1');
  });
}

class DelayRecorder {
  readonly #delaysMs: Float64Array<ArrayBuffer>;
  #count = 0;
  #startedUs = Number.POSITIVE_INFINITY;
  #stoppedUs = Number.POSITIVE_INFINITY;

  constructor(capacity: number) {
    this.#delaysMs = new Float64Array(capacity);
  }

  start(): void {
    this.#startedUs = nowUs();
  }

  stop(): void {
    this.#stoppedUs = Math.min(this.#stoppedUs, nowUs());
  }

  add(sentUs: number): void {
    if (sentUs < this.#startedUs || sentUs > this.#stoppedUs) return;
    this.#delaysMs[this.#count++] = (nowUs() - sentUs) / 1000;
  }

  summarise(): Pick<StreamResult, 'delayMs' | 'chunksPerSecond'> {
    const delays = this.#delaysMs.subarray(0, this.#count);
    return {
      delayMs: { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99), max: percentile(delays, 1) },
      chunksPerSecond: (this.#count / (this.#stoppedUs - this.#startedUs)) * 1e6,
    };
  }
}
