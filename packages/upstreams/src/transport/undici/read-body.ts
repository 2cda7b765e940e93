import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { lengthOfBody, type UpstreamBody } from '../transport.ts';

/** Larger bodies are sent in pieces, at the speed of the server, as by the other client. */
const ONE_WRITE_BYTES = 64 * 1024;
const SLICE_BYTES = 256 * 1024;

/** What the call knows of the response. */
interface BodyOwner {
  /** True once the server has refused the request: it does not need the rest of the body. */
  readonly isRefused: boolean;
}

/** The body for undici; a large one is read in pieces. */
export function readBody(body: UpstreamBody, owner: BodyOwner): Buffer | Readable {
  if (Buffer.isBuffer(body) && body.length <= ONE_WRITE_BYTES) return body;
  if (!Buffer.isBuffer(body) && lengthOfBody(body) <= ONE_WRITE_BYTES) return Buffer.concat(body.pieces);
  const pieces = Buffer.isBuffer(body) ? [body] : body.pieces;
  let piece = 0;
  let at = 0;
  return new Readable({
    highWaterMark: SLICE_BYTES,
    read() {
      // undici closes the connection once the response is complete.
      if (owner.isRefused) return;
      const current = pieces[piece];
      if (current === undefined) {
        this.push(null);
        return;
      }
      const slice = current.subarray(at, at + SLICE_BYTES);
      at += slice.length;
      if (at >= current.length) {
        piece += 1;
        at = 0;
      }
      this.push(slice);
    },
  });
}
