import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { encodeStreamRequest } from '../streams/client.ts';
import { StreamScanner } from '../streams/scanner.ts';

export interface FirstByteLoad {
  url: URL;
  headers: Record<string, string>;
  model: string;
  requestsPerSecond: number;
  seconds: number;
  signal: AbortSignal;
}

/** Percentiles of the time from a request's write to the first text of its answer. */
export interface FirstByteTimes {
  requests: number;
  p50Ms: number;
  p99Ms: number;
}

const CONNECTIONS = 32;

/**
 * Sends requests at a fixed rate, whether or not the ones before are answered, and takes the time to the first text of
 * each. Connections are opened before: what is measured is the request, not the handshake.
 */
export async function measureFirstByte(load: FirstByteLoad): Promise<FirstByteTimes> {
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(load.url)));
  const all = [...idle];
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const take = async (connection: Connection) => {
    times.push(await connection.ask(encodeStreamRequest(load)));
    idle.push(connection);
  };
  const total = load.requestsPerSecond * load.seconds;
  const startedMs = performance.now();
  try {
    for (let index = 0; index < total; index++) {
      const dueMs = startedMs + (index / load.requestsPerSecond) * 1000;
      const restMs = dueMs - performance.now();
      if (restMs >= 1) await sleep(restMs, undefined, { signal: load.signal });
      let connection = idle.pop();
      if (connection === undefined) {
        connection = await openConnection(load.url);
        all.push(connection);
      }
      running.push(take(connection));
    }
    await Promise.all(running);
  } finally {
    for (const connection of all) connection.close();
  }
  return { requests: times.length, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}

interface Connection {
  /** @returns milliseconds to the first text; settles when the answer is over */
  ask(request: string): Promise<number>;
  close(): void;
}

function openConnection(url: URL): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    let take: ((bytes: Buffer) => void) | null = null;
    let fail: (error: Error) => void = reject;
    socket.on('data', (bytes) => take?.(bytes));
    socket.on('error', (error) => fail(error));
    socket.on('close', () => fail(new Error('A connection was closed before its answer was over')));
    socket.once('connect', () =>
      resolve({
        close: () => {
          fail = () => undefined;
          socket.destroy();
        },
        ask: (request) =>
          new Promise((answered, failed) => {
            fail = failed;
            let firstMs = Number.NaN;
            const startedMs = performance.now();
            const scanner = new StreamScanner(() => (firstMs = performance.now() - startedMs));
            take = (bytes) => {
              scanner.push(bytes, bytes.length);
              if (scanner.isEnded) answered(firstMs);
            };
            socket.write(request, 'latin1');
          }),
      }),
    );
  });
}
