import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors';
import type { Endpoint, ParsedBody } from './parse-body.ts';
import { BodyJobFailed, type BodyWorkers } from './worker/body-workers.ts';

/** Smaller bodies are parsed on the event loop: in less than a millisecond mostly, in some thirty at worst (thousands of members). */
const MAX_ON_LOOP_BYTES = 128 * 1024;
const RETRY_SECONDS = 2;

/** True for a body that is parsed in a thread. */
export function isForThread(body: Buffer): boolean {
  return body.length > MAX_ON_LOOP_BYTES;
}

/** A body that was read in a thread, which had its memory meanwhile. */
interface ReadBody {
  body: Buffer;
  parsed: Result<ParsedBody>;
}

/**
 * Parses a large body in a thread.
 * @param call its body is empty from now on: the result has the bytes
 * @returns null if the caller has left before it was its turn
 */
export async function parseInThread(
  workers: BodyWorkers,
  endpoint: Endpoint,
  { body, owner, isWanted }: { body: Buffer; owner: string; isWanted: () => boolean },
): Promise<Result<ReadBody> | null> {
  try {
    const answer = await workers.run({ endpoint, body: ownMemoryOf(body) }, owner, isWanted);
    if (answer === null) return null;
    const { buffer, byteOffset, byteLength } = answer.body;
    return { ok: true, value: { body: Buffer.from(buffer, byteOffset, byteLength), parsed: answer.parsed } };
  } catch (error) {
    if (!(error instanceof BodyJobFailed)) throw error;
    const message = 'The gateway could not parse this large request body now. Try again, or send less.';
    return { ok: false, error: { code: 'gateway_overloaded', message, retryAfterSeconds: RETRY_SECONDS } };
  }
}

/** A view that can move to a thread. Blocks that small buffers share are smaller than any body that comes here. */
function ownMemoryOf(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = body;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, byteOffset, byteLength)
    : new Uint8Array(body);
}
