import type { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** A frame of an event stream, with its text headers only. */
export interface EventStreamFrame {
  headers: ReadonlyMap<string, string>;
  payload: Buffer;
}

/** Length of the frame, length of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const TEXT = 7;
/** Size of a value by its type's number; null: its length precedes it. */
const VALUE_BYTES: readonly (number | null)[] = [0, 0, 1, 2, 4, 8, null, null, 8, 16];

/**
 * Decodes one complete frame of `application/vnd.amazon.eventstream` (https://smithy.io/2.0/aws/amazon-eventstream.html).
 * @throws RangeError if a checksum or a length is wrong
 */
export function decodeFrame(frame: Buffer): EventStreamFrame {
  const payloadStart = PRELUDE_BYTES + frame.readUInt32BE(4);
  const payloadEnd = frame.length - CHECKSUM_BYTES;
  expectChecksum(frame, PRELUDE_BYTES - CHECKSUM_BYTES);
  expectChecksum(frame, payloadEnd);
  if (frame.readUInt32BE(0) !== frame.length || payloadStart > payloadEnd)
    throw new RangeError('A frame is not as long as it says');
  return {
    headers: readHeaders(frame.subarray(PRELUDE_BYTES, payloadStart)),
    payload: frame.subarray(payloadStart, payloadEnd),
  };
}

/** Verifies the checksum of all bytes before an offset. */
function expectChecksum(frame: Buffer, at: number): void {
  if (crc32(frame.subarray(0, at)) !== frame.readUInt32BE(at))
    throw new RangeError('The checksum of a frame is wrong');
}

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const type = bytes.readUInt8(nameEnd);
    const fixed = VALUE_BYTES[type];
    if (fixed === undefined) throw new RangeError(`A header of a frame has the unknown type ${type}`);
    const valueStart = nameEnd + 1 + (fixed === null ? 2 : 0);
    const valueEnd = valueStart + (fixed ?? bytes.readUInt16BE(nameEnd + 1));
    if (valueEnd > bytes.length) throw new RangeError('A header of a frame is cut off');
    if (type === TEXT)
      headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', valueStart, valueEnd));
    at = valueEnd;
  }
  return headers;
}
