import { Buffer } from 'node:buffer';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { encodeEnvelopeError } from './envelope-error.ts';

/** The statuses that Bedrock's exceptions have when they come before a stream instead of in it. */
const EXCEPTION_STATUS: Readonly<Record<string, number>> = {
  internalServerException: 500,
  modelStreamErrorException: 424,
  modelTimeoutException: 408,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
};

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(typeof bytes === 'string' ? bytes : toBytes(bytes)).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
);

/**
 * Turns one frame of Bedrock's InvokeModelWithResponseStream into the event that Anthropic's own stream would have.
 * @returns the event's bytes; null for a frame that carries none
 * @throws Error where the frame's checksums or contents are broken
 */
export function decodeBedrockFrame(frame: Buffer): Buffer | null {
  const { headers, body } = codec.decode(frame);
  const payload = parseJsonObject(Buffer.from(toBytes(body)).toString('utf8'));
  const type = textOf(headers[':message-type']);
  if (type === 'exception' || type === 'error') {
    const name = textOf(headers[':exception-type']) ?? textOf(headers[':error-code']) ?? 'exception';
    const said = payload?.['message'] ?? textOf(headers[':error-message']) ?? name;
    const status = EXCEPTION_STATUS[name] ?? 500;
    return writeEvent('error', encodeEnvelopeError(status, JSON.stringify({ message: said })));
  }
  const bytes = payload?.['bytes'];
  if (typeof bytes !== 'string') return null;
  const text = Buffer.from(bytes, 'base64').toString('utf8');
  const event = parseJsonObject(text);
  if (event === null) throw new Error('A frame of Bedrock holds no event');
  const name = typeof event['type'] === 'string' ? event['type'] : 'message';
  // An event's data is one line: what came on several is written anew.
  return writeEvent(name, /[\r\n]/.test(text) ? JSON.stringify(event) : text);
}

function writeEvent(name: string, data: string): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${data}\n\n`);
}

function textOf(header: { type: string; value: unknown } | undefined): string | null {
  return header?.type === 'string' && typeof header.value === 'string' ? header.value : null;
}

function toBytes(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
