/** Delimits the stamp inside a chunk's text; it occurs nowhere else in a stream. */
export const STAMP_MARK = 0x40; // '@'
export const SEQUENCE_DIGITS = 6;
const TIME_DIGITS = 13;
export const STAMP_DIGITS = SEQUENCE_DIGITS + TIME_DIGITS;

const HEAD = 'data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1767225600,';
const CONTENT = `${HEAD}"model":"bench-stream","choices":[{"index":0,"delta":{"content":"@`;
const CONTENT_END = '@"},"logprobs":null,"finish_reason":null}]}\n\n';
const CONTENT_LENGTH = CONTENT.length + STAMP_DIGITS + CONTENT_END.length;
const CHUNK_START = `${CONTENT_LENGTH.toString(16)}\r\n${CONTENT}`;
const CHUNK_END = `${CONTENT_END}\r\n`;

/**
 * One chunk of a completion as it goes over the wire, HTTP chunk framing included, with its number and the time at
 * which it was written.
 * @param timeUs microseconds of this process's monotonic clock
 */
export function encodeChunk(sequence: number, timeUs: number): string {
  return CHUNK_START + writeStamp(sequence, timeUs) + CHUNK_END;
}

/** The number of a chunk and the time of its write, as digits. */
export function writeStamp(sequence: number, timeUs: number): string {
  return String(sequence).padStart(SEQUENCE_DIGITS, '0') + String(timeUs).padStart(TIME_DIGITS, '0');
}

/** Microseconds of the monotonic clock of this process. */
export function nowUs(): number {
  return Math.round(performance.now() * 1000);
}

/** How a stream begins, up to its first chunk. */
export const RESPONSE_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n';

/** The text with which a stream that was not cut ends. */
export const DONE = 'data: [DONE]\n\n';

/** How a stream ends: finish reason, usage where it was asked for, `[DONE]`, and the last HTTP chunk. */
export function encodeEnd(chunks: number, withUsage: boolean): string {
  const finish = `${HEAD}"model":"bench-stream","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}\n\n`;
  const usage = `${HEAD}"model":"bench-stream","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":${chunks},"total_tokens":${chunks + 12}}}\n\n`;
  const frame = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  return `${frame(finish)}${withUsage ? frame(usage) : ''}${frame(DONE)}0\r\n\r\n`;
}
