import { ProtocolError } from './protocol-error.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** https://www.rfc-editor.org/rfc/rfc9110#section-5.5: CR and LF would begin another header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The origin form of https://www.rfc-editor.org/rfc/rfc9112#section-3.2.1: a space would end it early. */
const PATH = /^\/[\x21-\x7e]*$/;
/** Only the transport sets framing and connection headers. */
const OWN = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface RequestHead {
  /** Absent: POST. */
  method?: 'GET' | undefined;
  /** `api.openai.com`, with the port if it is not the scheme's default. */
  authority: string;
  /** `/v1/chat/completions?beta=true` */
  path: string;
  /** Name, value, name, value, … A `host` header replaces the authority. */
  headers: readonly string[];
  bodyBytes: number;
}

/**
 * The head of a request, one character per byte (https://www.rfc-editor.org/rfc/rfc9112#section-3).
 * @throws ProtocolError if the path or a header cannot be written unambiguously
 */
export function encodeRequestHead({ method, authority, path, headers, bodyBytes }: RequestHead): string {
  if (!PATH.test(path)) throw new ProtocolError('the path has characters that no request can carry');
  let encoded = known.get(headers);
  if (encoded === undefined) {
    encoded = encodeHeaders(headers);
    known.set(headers, encoded);
  }
  const { host, lines, contentLength } = encoded;
  // Some signatures need it in the list; a different length would split the request in two.
  if (contentLength !== null && contentLength !== String(bodyBytes))
    throw new ProtocolError('the content-length is not that of the body');
  return `${method ?? 'POST'} ${path} HTTP/1.1\r\nhost: ${host ?? authority}\r\n${lines}content-length: ${bodyBytes}\r\n\r\n`;
}

interface EncodedHeaders {
  host: string | null;
  lines: string;
  contentLength: string | null;
}

/** Validated lists, encoded once: a route sends the same, immutable list with every request. */
const known = new WeakMap<readonly string[], EncodedHeaders>();

function encodeHeaders(headers: readonly string[]): EncodedHeaders {
  let host: string | null = null;
  let contentLength: string | null = null;
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    if (!NAME.test(name)) throw new ProtocolError('the name of a header has characters that none can carry');
    if (!VALUE.test(value))
      throw new ProtocolError(`the value of the header ${name} has characters that none can carry`);
    const lower = name.toLowerCase();
    if (OWN.has(lower)) throw new ProtocolError(`the header ${name} is written by the transport itself`);
    if (lower === 'host') host = value;
    else if (lower === 'content-length') contentLength = value;
    else lines += `${name}: ${value}\r\n`;
  }
  return { host, lines, contentLength };
}
