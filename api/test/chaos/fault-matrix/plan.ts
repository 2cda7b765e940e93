import { Buffer } from 'node:buffer';
import { encode } from './encode.ts';
import type { Call } from './cell.ts';
import type { Said } from './said.ts';

/** How a provider sends one response. */
export interface Plan {
  /** Sent before the status line. */
  before: string;
  /** Between the writes of its parts, in ms; 0: one write. */
  intervalMs: number;
  /** Between the bytes of the head, in ms. */
  headIntervalMs: number;
  statusLine: string;
  /** One character for each byte. */
  headers: readonly string[];
  framing: 'chunked' | 'length' | 'close';
  /** The parts of the body: whole events of a stream. */
  pieces: readonly Buffer[];
  /** After the last chunk. */
  trailers: readonly string[];
  /** In place of all of the above. */
  raw?: string;
  /** After the parts of the body, in place of the last chunk. */
  afterPieces?: string;
  /** After the whole response. */
  afterEnd?: string;
  /**
   * - `whole`: in order, and the connection stays open if the framing allows it
   * - `whole-fin`, `whole-reset`: in order, then the connection ends although the framing allows more
   * - `fin`: the connection is closed without the rest that the framing needs
   * - `reset`: TCP RST
   * - `stall`: silence
   */
  end: 'whole' | 'whole-fin' | 'whole-reset' | 'fin' | 'reset' | 'stall';
}

/** So that each event is read on its own. */
const EVENT_INTERVAL_MS = 4;
const STREAM_TYPE = 'content-type: text/event-stream; charset=utf-8';
const JSON_TYPE = 'content-type: application/json';

/** The plan of a correct response. */
export function createPlan({ dialect, isStream }: Pick<Call, 'dialect' | 'isStream'>, said: Said): Plan {
  const { events, body } = encode(dialect, said);
  return {
    before: '',
    intervalMs: isStream ? EVENT_INTERVAL_MS : 0,
    headIntervalMs: 0,
    statusLine: 'HTTP/1.1 200 OK',
    headers: [isStream ? STREAM_TYPE : JSON_TYPE],
    framing: isStream ? 'chunked' : 'length',
    pieces: (isStream ? events : [JSON.stringify(body)]).map((text) => Buffer.from(text)),
    trailers: [],
    end: 'whole',
  };
}

export function withHeaders(plan: Plan, ...headers: string[]): Plan {
  return { ...plan, headers: [...plan.headers, ...headers] };
}

/** @param type in place of the right content type */
export function withType(plan: Plan, type: string): Plan {
  return { ...plan, headers: [`content-type: ${type}`, ...plan.headers.slice(1)] };
}

/** Another status and body, in one piece. */
export function withStatus(plan: Plan, status: number, body: string | object, ...headers: string[]): Plan {
  const isText = typeof body === 'string';
  return {
    ...plan,
    statusLine: `HTTP/1.1 ${status} Status`,
    headers: [isText ? 'content-type: text/html' : JSON_TYPE, ...headers],
    framing: 'length',
    pieces: [Buffer.from(isText ? body : JSON.stringify(body))],
  };
}

export function withText(plan: Plan, change: (text: string) => string): Plan {
  return { ...plan, pieces: [Buffer.from(change(joinText(plan)))] };
}

export function withEvents(plan: Plan, change: (events: string[]) => readonly string[]): Plan {
  return {
    ...plan,
    pieces: change(plan.pieces.map((piece) => piece.toString('utf8'))).map((text) => Buffer.from(text)),
  };
}

/** Sends the body up to an offset. */
export function cutAt(plan: Plan, offset: number, end: Plan['end']): Plan {
  const pieces: Buffer[] = [];
  let left = offset;
  for (const piece of plan.pieces) {
    if (left > 0) pieces.push(piece.subarray(0, left));
    left -= piece.length;
  }
  return { ...plan, pieces, end };
}

/** The offset inside the body of the first byte of a text, which must be there, plus some bytes. */
export function findOffset(plan: Plan, text: string, more = 0): number {
  const at = Buffer.concat(plan.pieces).indexOf(text);
  if (at < 0) throw new Error(`The body has no ${text}`);
  return at + more;
}

/** The body with a JSON value changed. */
export function withBody(plan: Plan, change: (body: Record<string, unknown>) => object): Plan {
  return withText(plan, (text) => JSON.stringify(change(JSON.parse(text) as Record<string, unknown>)));
}

export function joinText({ pieces }: Plan): string {
  return Buffer.concat(pieces).toString('utf8');
}
