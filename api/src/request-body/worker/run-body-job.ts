import { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors';
import { parseBody, type Endpoint, type ParsedBody } from '../parse-body.ts';

/** Work on a large body. Its bytes move to the thread, and back with the answer. */
export interface BodyJob {
  endpoint: Endpoint;
  body: Uint8Array<ArrayBuffer>;
}

export interface BodyJobAnswer {
  body: Uint8Array<ArrayBuffer>;
  parsed: Result<ParsedBody>;
}

/** More would take the event loop too long to receive. Hundreds of tools have some ten thousand. */
const MAX_MEMBER_VALUES = 50_000;

/** Does a job in the thread that calls it. */
export function runBodyJob({ endpoint, body }: BodyJob): BodyJobAnswer {
  const parsed = parseBody(endpoint, Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  if (!parsed.ok || countValues(parsed.value.members, MAX_MEMBER_VALUES) <= MAX_MEMBER_VALUES)
    return { body, parsed };
  const message = `The request body holds more than ${MAX_MEMBER_VALUES} values outside of its messages.`;
  return { body, parsed: deny('invalid_request', message) };
}

/** Counts values, those in lists and objects included, until there are more than `most`. */
function countValues(root: unknown, most: number): number {
  let count = 0;
  const open: unknown[] = [root];
  while (open.length > 0 && count <= most) {
    const value = open.pop();
    count += 1;
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push(inner);
  }
  return count;
}
