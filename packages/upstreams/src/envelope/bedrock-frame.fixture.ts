import { Buffer } from 'node:buffer';
import { EventStreamCodec } from '@smithy/core/event-streams';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
);

const text = (value: string) => ({ type: 'string' as const, value });

function frame(headers: Record<string, string>, body: string): Buffer {
  const typed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)]));
  return Buffer.from(codec.encode({ headers: typed, body: Buffer.from(body) }));
}

/** Bedrock's frame of one Anthropic event; `p` pads it, as Bedrock does against guessing by length. */
export function eventFrame(event: string): Buffer {
  return frame(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify({ bytes: Buffer.from(event).toString('base64'), p: 'abcdefghij' }),
  );
}

/** Bedrock's frame of an exception, which ends a stream. */
export function exceptionFrame(name: string, message: string): Buffer {
  return frame(
    { ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' },
    JSON.stringify({ message }),
  );
}
