import { Buffer } from 'node:buffer';
import { judgeStatus } from '@tollgate/upstreams/routing/retry-policy';
import type { UpstreamListener } from '@tollgate/upstreams/transport/transport';
import { describe, expect, it, vi } from 'vitest';
import { HedgeCall } from './hedge-call.ts';
import { MAX_OPENING_BYTES } from './relay.ts';

const ROLE = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';
const TEXT = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n';
const headers = (contentType: string) => (name: string) => (name === 'content-type' ? contentType : null);
const STREAM = headers('text/event-stream');

/** A second call, with what its request hears of it. */
function openCall() {
  const heard: string[] = [];
  const call = new HedgeCall({
    dialect: 'openai-chat',
    spec: { judgeStatus },
    listener: {
      hedgeHasContent: () => heard.push('content'),
      hedgeFailed: ({ outcome }) => heard.push(outcome),
    },
  });
  const send = (text: string) => call.onData(Buffer.from(text));
  return { call, heard, send };
}

/** Takes the response once the call is chosen. */
function createTaker() {
  const taken: string[] = [];
  const taker: UpstreamListener = {
    onStart: (status) => taken.push(`start ${status}`),
    onData: (chunk) => taken.push(chunk.toString()),
    onEnd: () => taken.push('end'),
    onError: ({ kind }) => taken.push(kind),
  };
  return { taken, taker };
}

describe('a second call', () => {
  it('has content when its first text has arrived, and says so once', () => {
    const { call, heard, send } = openCall();
    call.onStart(200, STREAM);
    send(ROLE);
    expect(heard).toEqual([]);
    send(TEXT);
    send(TEXT);
    expect(heard).toEqual(['content']);
  });

  it('recognizes content wherever it is cut', () => {
    for (let at = 1; at < TEXT.length; at += 1) {
      const { call, heard, send } = openCall();
      call.onStart(200, STREAM);
      send(ROLE + TEXT.slice(0, at));
      send(TEXT.slice(at));
      expect([at, heard]).toEqual([at, ['content']]);
    }
  });

  it('is not read further than the opening of a stream without content', () => {
    const { call, heard, send } = openCall();
    call.onStart(200, STREAM);
    send(`: ${'x'.repeat(MAX_OPENING_BYTES)}\n\n`);
    expect(heard).toEqual(['content']);
  });

  it('passes everything on in order, also what arrives later', () => {
    const { call, heard, send } = openCall();
    const { taken, taker } = createTaker();
    call.onStart(200, STREAM);
    send(ROLE);
    call.passTo(taker);
    send(TEXT);
    call.onEnd();
    expect(taken).toEqual(['start 200', ROLE, TEXT, 'end']);
    expect(heard).toEqual([]);
  });

  it('passes the end of a connection on once it is chosen', () => {
    const { call, heard } = openCall();
    const { taken, taker } = createTaker();
    call.passTo(taker);
    call.onStart(500, STREAM);
    call.onError({ kind: 'cut', detail: '' });
    expect([taken, heard]).toEqual([['start 500', 'cut'], []]);
  });

  it.each<[string, number, string, string]>([
    ['an error', 500, 'application/json', 'status_500'],
    ['a refusal', 401, 'application/json', 'status_401'],
    ['an error of the request', 400, 'text/event-stream', 'unreadable'],
    ['no stream', 200, 'application/json', 'unreadable'],
  ])('fails if it gets %s', (_, status, contentType, outcome) => {
    const { call, heard } = openCall();
    call.onStart(status, headers(contentType));
    expect(heard).toEqual([outcome]);
  });

  it('fails if its stream ends without content, or its connection does', () => {
    const ended = openCall();
    ended.call.onStart(200, STREAM);
    ended.send(ROLE);
    ended.call.onEnd();
    expect(ended.heard).toEqual(['unreadable']);
    const cut = openCall();
    cut.call.onError({ kind: 'cut', detail: '' });
    expect(cut.heard).toEqual(['cut']);
  });
});

it('keeps a few thousand pieces without content at most', () => {
  const hedgeHasContent = vi.fn<() => void>();
  const listener = { hedgeHasContent, hedgeFailed: () => undefined };
  const spec = { judgeStatus: () => 'answered' as const };
  const call = new HedgeCall({ listener, dialect: 'openai-chat', spec });
  call.onStart(200, () => 'text/event-stream');
  let pieces = 0;
  for (; hedgeHasContent.mock.calls.length === 0 && pieces < 100_000; pieces++)
    call.onData(Buffer.from(':\n'));
  expect(pieces).toBeGreaterThan(1_000);
  expect(pieces).toBeLessThan(5_000);
});
