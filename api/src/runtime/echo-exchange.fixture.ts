import { BodyBudget } from '../request-body/body-budget.ts';
import { DEFAULT_BODY_PACE } from '../request-body/read-limits.ts';
import { ReadTurns } from '../request-body/read-turns.ts';
import type { SocketExchange } from './socket-exchange.ts';

export const MIB = 1024 * 1024;
const budget = new BodyBudget(64 * MIB);

/** Reads a body of at most 8 MiB. */
export const readBody = (exchange: SocketExchange, turns = new ReadTurns()) =>
  exchange.readBody({
    maxBytes: 8 * MIB,
    reservation: budget.open('a'),
    pace: DEFAULT_BODY_PACE,
    turns,
    owner: 'a',
  });

/** Answers with what was read of a request. */
export async function echo(exchange: SocketExchange, path: string): Promise<void> {
  const body = await readBody(exchange);
  const read = body.ok
    ? `${body.value.length}:${body.value.toString('latin1').slice(0, 40)}`
    : body.error.code;
  exchange.send(200, 'text/plain', `<${path}${exchange.query} ${exchange.header('x-name')} ${read}>`);
}

/** A request with a body. */
export const post = (path: string, body: string, head = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Name: of ${body.length}\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`;

/** The echoes in received bytes. */
export const getEchoes = (received: string) => received.match(/<[^>]*>/g) ?? [];
/** The echo of a request from `post`. */
export const expectedEcho = (path: string, body: string) =>
  `<${path} of ${body.length} ${body.length}:${body.slice(0, 40)}>`;
