import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from './plan.ts';

/** Time for what was written before a reset, which would discard it at the reader. */
const BEFORE_RESET_MS = 1_000;

/** Writes a response to its connection. */
export async function sendPlan(socket: Socket, plan: Plan): Promise<void> {
  if (plan.raw === undefined) await sendResponse(socket, plan);
  else socket.write(plan.raw);
  if (!socket.destroyed) await end(socket, plan);
}

async function sendResponse(socket: Socket, plan: Plan): Promise<void> {
  const head = Buffer.from(encodeHead(plan), 'latin1');
  await sendParts(
    socket,
    plan.headIntervalMs > 0 ? [...head].map((byte) => Buffer.from([byte])) : [head],
    plan.headIntervalMs,
  );
  const pieces =
    plan.framing === 'chunked'
      ? plan.pieces.filter(({ length }) => length > 0).map(encodeChunk)
      : plan.pieces;
  await sendParts(socket, plan.intervalMs === 0 ? [Buffer.concat(pieces)] : pieces, plan.intervalMs);
}

async function sendParts(socket: Socket, parts: readonly Buffer[], intervalMs: number): Promise<void> {
  for (const [at, part] of parts.entries()) {
    if (intervalMs > 0 && at > 0) await sleep(intervalMs);
    if (socket.destroyed) return;
    socket.write(part);
  }
}

function encodeHead({ before, statusLine, headers, framing, pieces }: Plan): string {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const framed = {
    chunked: ['transfer-encoding: chunked'],
    length: [`content-length: ${length}`],
    close: [],
  }[framing];
  // A fault may have its own framing.
  const isFramed = headers.some((header) => /^(?:content-length|transfer-encoding):/.test(header));
  return `${before}${[statusLine, ...headers, ...(isFramed ? [] : framed), '', ''].join('\r\n')}`;
}

function encodeChunk(piece: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
}

async function end(socket: Socket, plan: Plan): Promise<void> {
  const { end: kind, framing, trailers, afterPieces, afterEnd = '', raw } = plan;
  const isWhole = kind.startsWith('whole');
  if (afterPieces !== undefined) socket.write(afterPieces);
  else if (isWhole && framing === 'chunked' && raw === undefined)
    socket.write(['0', ...trailers, '', ''].join('\r\n'));
  if (afterEnd !== '') socket.write(afterEnd);
  if (kind === 'fin' || kind === 'whole-fin' || (kind === 'whole' && framing === 'close')) socket.end();
  if (kind !== 'reset' && kind !== 'whole-reset') return;
  if (raw === undefined) await sleep(BEFORE_RESET_MS);
  socket.resetAndDestroy();
}
