import { connect } from 'node:net';
import { REQUEST_BODY } from '../subjects/completion.ts';

export interface TurnLoad {
  url: URL;
  headers: Record<string, string>;
  requests: number;
  signal: AbortSignal;
}

/**
 * Sends requests over one connection, each when the one before is answered.
 * @returns the time of each, from its write to the last byte of its answer, in milliseconds; the first one, which shares its time with
 * the handshake, is left out
 * @throws Error if an answer has another status than 200 or no length
 */
export function askInTurn({ url, headers, requests, signal }: TurnLoad): Promise<number[]> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(REQUEST_BODY);
  const request = Buffer.from(
    `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${lines.join('')}\r\n${REQUEST_BODY}`,
  );
  return new Promise((resolve, reject) => {
    const times: number[] = [];
    let received = '';
    let startedMs = 0;
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    const end = (error?: Error) => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      if (error === undefined) resolve(times.slice(1));
      else reject(error);
    };
    const onAbort = () => end(new Error('Interrupted'));
    const send = () => {
      received = '';
      startedMs = performance.now();
      socket.write(request);
    };
    signal.addEventListener('abort', onAbort);
    socket.once('connect', send);
    socket.on('error', end);
    socket.on('close', () => end(new Error(`${url.host} closed the connection`)));
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      const answer = findAnswerEnd(received);
      if (answer === 'broken') end(new Error(`${url.href} answered ${received.slice(0, 400)}`));
      if (answer !== 'whole') return;
      times.push(performance.now() - startedMs);
      if (times.length > requests) end();
      else send();
    });
  });
}

/** Whether an answer has arrived in full. It must have status 200 and a content length, or be chunked. */
export function findAnswerEnd(text: string): 'whole' | 'part' | 'broken' {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return 'part';
  const head = text.slice(0, headEnd);
  if (!head.startsWith('HTTP/1.1 200 ')) return 'broken';
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return text.endsWith('\r\n0\r\n\r\n') ? 'whole' : 'part';
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) return 'broken';
  return text.length >= headEnd + 4 + Number(length) ? 'whole' : 'part';
}
