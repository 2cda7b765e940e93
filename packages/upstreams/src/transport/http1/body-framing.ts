import type { ResponseHead } from './parse-head.ts';
import { ProtocolError } from './protocol-error.ts';

/** How a response's body ends. */
export type BodyFraming =
  | { kind: 'none' }
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  /** Ends with the connection. */
  | { kind: 'close' };

/** At most fifteen digits, which a number holds exactly. */
const CONTENT_LENGTH = /^\d{1,15}$/;
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:$|,)/i;
const KEEP_ALIVE_TIMEOUT = /(?:^|[,\s])timeout=(\d{1,6})(?:$|[,\s])/i;

/**
 * How the body of the response to a POST ends, by https://www.rfc-editor.org/rfc/rfc9112#section-6.3. Stricter than the
 * RFC: refuses a repeated length even if the values are equal, and a length with a transfer coding, since their sender may
 * mean two different ends.
 * @throws ProtocolError if the headers contradict each other or name a coding other than `chunked`
 */
export function getFraming({ status, minorVersion, headers }: ResponseHead): BodyFraming {
  const coding = headers.get('transfer-encoding');
  const length = headers.get('content-length');
  if (coding !== undefined && length !== undefined)
    throw new ProtocolError('the response has both a content-length and a transfer-encoding');
  if (length !== undefined && !CONTENT_LENGTH.test(length))
    throw new ProtocolError('the content-length of the response is no single number');
  if (coding !== undefined && (minorVersion === 0 || coding.toLowerCase() !== 'chunked'))
    throw new ProtocolError('the transfer-encoding of the response is not "chunked"');
  if (status < 200 || status === 204 || status === 304) return { kind: 'none' };
  if (coding !== undefined) return { kind: 'chunked' };
  return length === undefined ? { kind: 'close' } : { kind: 'length', bytes: Number(length) };
}

/** True if the connection may carry another request: https://www.rfc-editor.org/rfc/rfc9112#section-9.3 */
export function staysOpen(head: ResponseHead, framing: BodyFraming): boolean {
  if (head.minorVersion === 0 || framing.kind === 'close') return false;
  const options = head.headers.get('connection');
  return options === undefined || !CLOSE.test(options);
}

/**
 * How long the server keeps an idle connection, in milliseconds, if it says so:
 * https://www.rfc-editor.org/rfc/rfc2068#section-19.7.1.1
 */
export function keepAliveMs({ headers }: ResponseHead): number | null {
  const options = headers.get('keep-alive');
  const seconds = options === undefined ? undefined : KEEP_ALIVE_TIMEOUT.exec(options)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
