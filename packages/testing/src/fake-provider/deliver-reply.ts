import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from './compose-reply.ts';
import type { EncodedChunk } from './encoded-chunk.ts';
import type { Break, Script } from './script.ts';
import type { ServedRequest } from './served-request.ts';
import { splitBody } from './split-body.ts';

export interface Delivery {
  response: ServerResponse;
  reply: Reply;
  script: Script;
  record: ServedRequest;
  /** Aborts when the client disconnects or the provider closes. */
  disconnected: AbortSignal;
}

/** Sends a response by the script, and records sent bytes. Never throws if a client disconnects. */
export async function deliverReply(delivery: Delivery): Promise<void> {
  try {
    await deliver(delivery);
  } catch (error) {
    if (!delivery.disconnected.aborted) throw error;
  }
}

async function deliver(delivery: Delivery): Promise<void> {
  const { response, reply, script, record, disconnected } = delivery;
  await pause(script.headersDelayMs, disconnected);
  await waitFor(script.headersAfter, disconnected);
  if (script.stallBeforeHeaders === true) return stall(delivery);
  if (script.cutBeforeHeaders === true) return breakOff(delivery);

  const body = Buffer.concat(reply.chunks.map((chunk) => chunk.bytes));
  // A length would reveal the early end that `clean-end` must hide.
  const isSized = !reply.isStream && script.cutBy !== 'clean-end';
  record.status = reply.status;
  response.writeHead(reply.status, { ...reply.headers, ...(isSized && { 'content-length': body.length }) });
  response.flushHeaders();
  await pause(script.firstByteDelayMs, disconnected);
  await waitFor(script.firstByteAfter, disconnected);

  const stallAfter = stallingAt(script, reply, body.length);
  const limit = Math.min(cuttingAt(script, reply), stallAfter);
  await writePieces(delivery, limit);
  if (limit > body.length) return finish(delivery);
  if (stallAfter === limit) return stall(delivery);
  breakOff(delivery);
}

/** @throws if the client disconnects first */
async function waitFor(event: Promise<void> | undefined, disconnected: AbortSignal): Promise<void> {
  if (event === undefined) return;
  await Promise.race([event, untilDisconnected(disconnected)]);
  disconnected.throwIfAborted();
}

/** Keeps the connection open in silence. */
async function stall(delivery: Delivery): Promise<void> {
  const { script, disconnected } = delivery;
  if (script.stallMs === undefined) return untilDisconnected(disconnected);
  await pause(script.stallMs, disconnected);
  breakOff(delivery);
}

/** @returns the number of body bytes before the connection breaks; Infinity: it does not */
function cuttingAt({ cutAfterBytes, cutAfterPieces }: Script, { chunks }: Reply): number {
  return cutAfterPieces === undefined ? (cutAfterBytes ?? Infinity) : countBytes(chunks, cutAfterPieces);
}

function countBytes(chunks: readonly EncodedChunk[], pieces: number): number {
  return chunks.slice(0, pieces).reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** @returns the number of body bytes before a stall; Infinity: all are sent */
function stallingAt(
  { stallAfterBytes, stallAfterPieces }: Script,
  { chunks }: Reply,
  length: number,
): number {
  if (stallAfterPieces !== undefined) return countBytes(chunks, stallAfterPieces);
  if (stallAfterBytes === undefined) return Infinity;
  return stallAfterBytes < 0 ? length + stallAfterBytes : stallAfterBytes;
}

/** Writes up to `limit` bytes, each piece separately and at its time. */
async function writePieces(delivery: Delivery, limit: number): Promise<void> {
  const { reply, script, record, disconnected } = delivery;
  const pieces = splitBody(
    reply.chunks.map((chunk) => chunk.bytes),
    script.split ?? 'natural',
  );
  const count = countSent(record, reply.chunks);
  const intervalMs = script.intervalMs ?? 0;
  const startMs = performance.now();
  for (const [index, piece] of pieces.entries()) {
    const room = limit - record.bytesSent;
    if (room <= 0) return;
    // Measured from the start, so that late timers do not reduce the rate.
    if (intervalMs > 0 && index > 0)
      await pause(startMs + index * intervalMs - performance.now(), disconnected);
    const bytes = piece.subarray(0, room);
    await write(delivery, bytes);
    count(bytes.length);
    // Lets the kernel send each piece separately.
    if (intervalMs === 0) await nextTurn();
  }
}

/** Updates the record's counts with the sent bytes. */
function countSent(record: ServedRequest, chunks: readonly EncodedChunk[]): (bytes: number) => void {
  let next = 0;
  let nextEnd = chunks[0]?.bytes.length ?? Infinity;
  return (bytes) => {
    record.bytesSent += bytes;
    while (record.bytesSent >= nextEnd) {
      const chunk = chunks[next];
      if (chunk === undefined) return;
      record.outputTokensSent += chunk.outputTokens;
      record.usage = chunk.usage ?? record.usage;
      next += 1;
      nextEnd += chunks[next]?.bytes.length ?? Infinity;
    }
  };
}

function write({ response, disconnected }: Delivery, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (disconnected.aborted) return reject(new Error('The client disconnected'));
    const leave = () => reject(new Error('The client left'));
    // A write also fails (EPIPE) just before the close event, which decides the outcome.
    disconnected.addEventListener('abort', leave, { once: true });
    response.write(bytes, (error) => {
      if (error !== null && error !== undefined) return;
      disconnected.removeEventListener('abort', leave);
      resolve();
    });
  });
}

function finish({ response, record, disconnected }: Delivery): Promise<void> {
  return new Promise((resolve) => {
    disconnected.addEventListener('abort', () => resolve(), { once: true });
    response.end(() => {
      if (record.outcome === 'pending') record.outcome = 'complete';
      resolve();
    });
  });
}

function breakOff({ response, record, script }: Delivery): void {
  record.outcome = 'cut';
  const how: Break = script.cutBy ?? 'close';
  switch (how) {
    case 'clean-end':
      if (response.headersSent) response.end();
      else response.destroy();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'close':
      response.destroy();
  }
}

async function pause(ms: number | undefined, disconnected: AbortSignal): Promise<void> {
  if (ms !== undefined && ms > 0) await sleep(ms, undefined, { signal: disconnected });
}

function untilDisconnected(disconnected: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (disconnected.aborted) resolve();
    else disconnected.addEventListener('abort', () => resolve(), { once: true });
  });
}
