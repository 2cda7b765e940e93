import { createSeededRandom, type SeededRandom } from '@tollgate/testing/bad-input/seeded-random';

/** Heads as clients send them, each with a length of its body. */
export const HEADS: readonly string[] = [
  'POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:8787\r\nContent-Length: 21\r\n\r\n',
  'POST /v1/messages?beta=true HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  'POST /v1/responses HTTP/1.1\r\nAccept: */*\r\nHost: [::1]:80\r\nConnection: Keep-Alive\r\ncontent-length:  7\r\n\r\n',
  [
    'POST /v1/chat/completions HTTP/1.1',
    'host: gateway.example.com',
    'connection: keep-alive',
    'Accept: application/json',
    'Content-Type: application/json',
    'User-Agent: OpenAI/JS 5.0.1 (x; "y"); z=1',
    'X-Stainless-Lang: js',
    'X-Stainless-Retry-Count: 0',
    'Authorization: Bearer tg_0123456789abcdefghijklmnopqrstuvwxyz',
    'accept-language: *',
    'sec-fetch-mode: cors',
    'accept-encoding: gzip, deflate, br',
    'content-length: 147',
    '\r\n',
  ].join('\r\n'),
];

/** What may change the meaning of a head. */
const FRAGMENTS: readonly string[] = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\r\n ',
  '\t',
  ' ',
  ':',
  ',',
  '\0',
  '\x80',
  '\xff',
  '#',
  '?',
  '0',
  '1',
  '+',
  '-',
  '_',
  '"',
  'a',
  'Z',
  ...[
    'content-length: 3',
    'Content-Length: 03',
    'content-length : 3',
    'content-length: 3, 3',
    'content-length: 3 3',
    'content_length: 9',
    'transfer-encoding: chunked',
    'Transfer-Encoding: identity',
    'transfer-encoding : chunked',
    'connection: close',
    'connection: Keep-Alive, close',
    'Proxy-Connection: close',
    'upgrade: h2c',
    'expect: 100-continue',
    'host: y',
    'x-a: 1',
    'x-a:',
    'x-b:   b   ',
    'trailer: x-a',
    'GET /next HTTP/1.1',
  ].map((line) => `\r\n${line}`),
];

/** One of the heads with up to three changes, always the same for a seed. */
export function mutateHead(seed: number): string {
  const random = createSeededRandom(seed);
  let head = random.pick(HEADS);
  for (let left = 1 + random.below(3); left > 0; left--) head = mutate(head, random);
  return head;
}

/** Replaces something behind the names that contain `length`, mostly by digits. */
export function mutateLength(head: string, seed: number): string {
  const random = createSeededRandom(seed);
  const value = random.pick(['0', '12', '00012', '12345678901', '1 2', '', '-1', '3\r\nx-a: 1', '99999']);
  return head.replace(/(length: *)[^\r]*/i, `$1${value}`);
}

function mutate(head: string, random: SeededRandom): string {
  const at = random.below(head.length);
  const before = head.slice(0, at);
  const lines = head.split('\r\n');
  const line = 1 + random.below(lines.length - 2);
  switch (random.below(8)) {
    case 0:
      return before + random.pick(FRAGMENTS) + head.slice(at);
    case 1:
      return before + random.pick(FRAGMENTS) + head.slice(at + 1);
    case 2:
      return before + head.slice(at + 1 + random.below(3));
    case 3:
      return before + String.fromCharCode(random.below(256)) + head.slice(at + 1);
    case 4:
      return before + head.slice(at, at + 1).toUpperCase() + head.slice(at + 1);
    case 5:
      return lines.toSpliced(line, 0, random.pick(lines)).join('\r\n');
    case 6:
      return lines.toSpliced(line, 1).join('\r\n');
    default:
      return lines.toSpliced(line, 0, random.pick(FRAGMENTS).trim()).join('\r\n');
  }
}
