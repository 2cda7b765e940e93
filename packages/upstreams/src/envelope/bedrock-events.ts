import { Buffer } from 'node:buffer';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { decodeFrame } from './decode-frame.ts';
import { encodeEnvelopeError } from './envelope-error.ts';

/** The statuses of Bedrock's exceptions outside of a stream. */
const EXCEPTION_STATUS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    internalServerException: 500,
    modelStreamErrorException: 424,
    modelTimeoutException: 408,
    serviceUnavailableException: 503,
    throttlingException: 429,
    validationException: 400,
  }),
);

/**
 * Converts one frame of Bedrock's InvokeModelWithResponseStream to Anthropic's event.
 * @returns the event's bytes; null if the frame has none
 * @throws Error if the frame's checksums or contents are invalid
 */
export function decodeBedrockFrame(frame: Buffer): Buffer | null {
  const { headers, payload: json } = decodeFrame(frame);
  const payload = parseJsonObject(json.toString('utf8'));
  const type = headers.get(':message-type');
  if (type === 'exception' || type === 'error') {
    const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? 'exception';
    const said = payload?.['message'] ?? headers.get(':error-message') ?? name;
    const status = EXCEPTION_STATUS.get(name) ?? 500;
    return writeEvent('error', encodeEnvelopeError(status, JSON.stringify({ message: said })));
  }
  const bytes = payload?.['bytes'];
  if (typeof bytes !== 'string') return null;
  const text = Buffer.from(bytes, 'base64').toString('utf8');
  const event = parseJsonObject(text);
  if (event === null) throw new Error('A frame of Bedrock holds no event');
  const name = typeof event['type'] === 'string' ? event['type'] : 'message';
  // An event's data is one line; several lines are serialized again.
  return writeEvent(name, /[\r\n]/.test(text) ? JSON.stringify(event) : text);
}

function writeEvent(name: string, data: string): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${data}\n\n`);
}
