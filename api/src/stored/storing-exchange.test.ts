import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestTurn } from '@tollgate/testing/longest-turn';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { LargeAnswers } from '../pipeline/large-answers.ts';
import { BodyBudget } from '../request-body/body-budget.ts';
import { BodyWorkers } from '../request-body/worker/body-workers.ts';
import { markLarge } from './mark-large.ts';
import { StoringExchange } from './storing-exchange.ts';

const MIB = 1024 * 1024;
const answers = new LargeAnswers(
  new BodyBudget(128 * MIB),
  new BodyWorkers({ threads: 1, timeLimitMs: 30_000, maxHeapMib: 512 }),
);
afterAll(() => answers.close());
// Start the thread before the time is measured.
beforeAll(async () => {
  const marks = { id: 'resp_1', previousResponseId: null, conversationId: null, isStored: true };
  const turn = { owner: 'a', isWanted: () => true };
  const first = await answers.mark(Buffer.from('{}'), { isEvent: false, marks }, turn);
  first?.release();
}, 60_000);

/** A response of about this size with many values. */
function createResponse(bytes: number) {
  const text = 'The sky above the harbour is blue today.';
  const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
  const output = Array.from({ length: Math.ceil(bytes / JSON.stringify(item).length) }, () => item);
  return { id: 'resp_of_provider', object: 'response', output };
}

const toEvent = (type: string, response: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, response })}\n\n`;

/** An exchange that notes what its caller gets, and whether the response can be stored. */
function open({ canStore = true, hasMemory = true } = {}) {
  const headers: Record<string, string> = {};
  const stored: string[] = [];
  let sent = '';
  let drains = 0;
  let works: Promise<void>[] = [];
  const send = (pieces: readonly (Buffer | string)[], onTaken: () => void) => {
    sent += Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString();
    onTaken();
  };
  const inner: Partial<Exchange> = {
    isDisconnected: false,
    listen: () => undefined,
    setHeader: (name, value) => void (headers[name] = value),
    start: () => undefined,
    sendPieces: (_status, _type, pieces, onTaken) => send(pieces, onTaken),
    writeLatin1(bytes) {
      sent += Buffer.from(bytes, 'latin1').toString();
      return true;
    },
    writePieces(pieces, onTaken) {
      send(pieces, onTaken);
      return true;
    },
    end: () => void (sent += 'END'),
  };
  const exchange = new StoringExchange(inner as Exchange, {
    id: 'resp_1',
    previousResponseId: null,
    conversationId: null,
    async store(response) {
      await sleep(5);
      if (canStore) stored.push(response.toString());
      return canStore;
    },
    markLarge: (bytes, isEvent, marks) =>
      hasMemory
        ? answers.mark(bytes, { isEvent, marks }, { owner: 'a', isWanted: () => true })
        : Promise.resolve(null),
    track: (work) => void works.push(work),
  });
  exchange.listen({ onDisconnect: () => undefined, onDrain: () => void (drains += 1) });
  const finish = async () => {
    while (works.length > 0) {
      const running = works;
      works = [];
      await Promise.all(running);
    }
  };
  return { exchange, headers, stored, getSent: () => sent, getDrains: () => drains, finish };
}

const LARGE = createResponse(3 * MIB);
const marked = (isStored: boolean, response: object = LARGE) => ({
  ...response,
  id: 'resp_1',
  previous_response_id: null,
  store: isStored,
});
const readData = (event: string): unknown => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '');

it.each(['\n\n', '\r\n\r\n', '\n\r\n', '\r\n\n', '\r\r'])(
  'stores a stream whose events end with %j, however it is cut',
  async (end) => {
    const response = createResponse(1);
    const events = ['created', 'completed'].map((type) => toEvent(`response.${type}`, response).trim() + end);
    const stream = events.join('');
    for (let size = 1; size <= stream.length; size += 7) {
      const { exchange, stored, getSent, finish } = open();
      exchange.start(200, 'text/event-stream');
      for (let at = 0; at < stream.length; at += size) exchange.writeLatin1(stream.slice(at, at + size));
      exchange.end();
      await finish();
      expect(stored.map((text) => JSON.parse(text) as unknown)).toEqual([marked(true, response)]);
      expect(getSent().match(/"id":"resp_1"/g)).toHaveLength(2);
    }
  },
);

describe('a large response', () => {
  it.each([true, false])('says in a stream whether it is stored: %s', async (canStore) => {
    const { exchange, stored, getSent, getDrains, finish } = open({ canStore });
    exchange.start(200, 'text/event-stream');
    const taken: string[] = [];
    const first = toEvent('response.created', createResponse(MIB / 2));
    expect(exchange.writePieces([Buffer.from(first)], () => taken.push('created'))).toBe(false);
    const last = toEvent('response.completed', LARGE);
    expect(exchange.writeLatin1('event: ping\ndata: {}\n\n')).toBe(false);
    exchange.writePieces([last.slice(0, MIB), Buffer.from(last.slice(MIB))], () => taken.push('last'));
    exchange.end();
    await finish();
    const [created = '', ping, completed = '', end] = getSent().split('\n\n');
    expect(readData(created)).toEqual({
      type: 'response.created',
      response: marked(true, createResponse(MIB / 2)),
    });
    expect([ping, end]).toEqual(['event: ping\ndata: {}', 'END']);
    expect(readData(completed)).toEqual({ type: 'response.completed', response: marked(canStore) });
    expect(stored.map((text) => JSON.parse(text) as unknown)).toEqual(canStore ? [marked(true)] : []);
    expect(taken).toEqual(['created', 'last']);
    expect(getDrains()).toBe(1);
    expect(answers.budget.usedBytes).toBe(0);
  });

  it.each([true, false])('says without a stream whether it is stored: %s', async (canStore) => {
    const { exchange, headers, stored, getSent, finish } = open({ canStore });
    let isTaken = false;
    const pieces = [Buffer.from(JSON.stringify(LARGE))];
    exchange.sendPieces(200, 'application/json', pieces, () => (isTaken = true));
    await finish();
    expect(JSON.parse(getSent())).toEqual(marked(canStore));
    expect(stored).toHaveLength(canStore ? 1 : 0);
    expect(headers).toEqual({ 'x-tollgate-stored': String(canStore) });
    expect(isTaken).toBe(true);
    expect(answers.budget.usedBytes).toBe(0);
  });

  it('is sent as it came if there is no memory to mark it', async () => {
    const { exchange, headers, stored, getSent, finish } = open({ hasMemory: false });
    exchange.sendPieces(200, 'application/json', [Buffer.from(JSON.stringify(LARGE))], () => undefined);
    await finish();
    expect(JSON.parse(getSent())).toEqual(LARGE);
    expect({ stored, headers }).toEqual({ stored: [], headers: { 'x-tollgate-stored': 'false' } });
  });

  // Processor times of single runs, which other programs can disturb.
  it.each(['pieces', 'text', 'whole'])(
    'does not block the event loop, given as %s',
    { retry: 2 },
    async (form) => {
      const { exchange, stored, finish } = open();
      const event = toEvent('response.completed', LARGE);
      const bytes = Buffer.from(form === 'whole' ? JSON.stringify(LARGE) : event);
      const marks = { id: 'resp_1', previousResponseId: null, conversationId: null, isStored: true };
      const copy = Buffer.from(bytes);
      const hereMs = threadTimeMs(() => markLarge(copy, { isEvent: form !== 'whole', marks }));
      const { longestMs } = await longestTurn(() => {
        if (form === 'whole') exchange.sendPieces(200, 'application/json', [bytes], () => undefined);
        else {
          exchange.start(200, 'text/event-stream');
          if (form === 'pieces') exchange.writePieces([bytes], () => undefined);
          else exchange.writeLatin1(event);
        }
        return finish();
      });
      expect(stored).toHaveLength(1);
      expect(longestMs).toBeLessThan(hereMs / 2);
    },
  );
});
