import { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { ITEM_MARK } from '@tollgate/dialects/openai-responses/carried/item-id';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { isForThread } from './is-for-thread.ts';
import { parseBody, type Endpoint } from './parse-body.ts';
import { parseOnLoop } from './parse-on-loop.ts';

const MIB = 1024 * 1024;
/** The longest stall that is allowed. */
const MAX_MS = 5;
const ROUNDS = 12;
const RUNS = 8;

const messages = '"messages":[{"role":"user","content":"Hi"}]';
const chat = (members: string) => `{"model":"m",${messages},${members}}`;
const text = (content: string) => `{"model":"m","messages":[{"role":"user","content":"${content}"}]}`;
const responses = (input: string) => `{"model":"m","input":[${input}]}`;
const list = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join(',');
/** As many as are read on the event loop, in every case. */
const MEMBERS = BODY_LIMITS.maxOnLoopMembers - 10;

/** What the event loop does with a body before it is forwarded. */
function readOnLoop(endpoint: Endpoint, body: Buffer): void {
  if (parseOnLoop(endpoint, body) === null && !isForThread(body)) parseBody(endpoint, body);
}

describe('a body that is read on the event loop', () => {
  it.each<[string, Endpoint, string]>([
    [
      '100 long names',
      '/v1/chat/completions',
      chat(`"metadata":{${list(100, (at) => `"${'é'.repeat(600)}${at}":1`)}}`),
    ],
    ['names outside of ASCII', '/v1/chat/completions', chat(list(MEMBERS, (at) => `"é${at}":1`))],
    ['names with pairs', '/v1/chat/completions', chat(list(MEMBERS, (at) => `"\u{10400}${at}":1`))],
    [
      'upper-case names',
      '/v1/messages',
      chat(`"max_tokens":1,"metadata":{${list(MEMBERS, (at) => `"A${at}":1`)}}`),
    ],
    ['unknown members', '/v1/chat/completions', chat(list(MEMBERS, (at) => `"m${at}":1`))],
    ['backslashes', '/v1/chat/completions', text('\\\\'.repeat(MIB / 2 - 100))],
    ['line ends', '/v1/messages', text('\\n'.repeat(MIB / 2 - 100))],
    ['white space', '/v1/chat/completions', `{${' '.repeat(MIB - 200)}${text('Hi').slice(1)}`],
    ['digits', '/v1/responses', responses(`{"role":"user","content":[${'1'.repeat(MIB - 200)}]}`)],
    [
      'short of a mark',
      '/v1/responses',
      responses(`{"role":"user","content":"${'-item1'.repeat(150_000)}"}`),
    ],
  ])(`takes less than ${MAX_MS} ms for %s`, (_name, endpoint, json) => {
    const bodies = Array.from({ length: RUNS }, () => Buffer.from(json));
    const times = Array.from(
      { length: ROUNDS },
      () =>
        threadTimeMs(() => {
          for (const body of bodies) readOnLoop(endpoint, body);
        }) / RUNS,
    );
    expect(Math.min(...times)).toBeLessThan(MAX_MS);
  });

  it('is for a thread if an id in it may carry an item', () => {
    const withId = (id: string) =>
      Buffer.from(
        responses(
          `${list(8, () => '{"role":"user","content":"Hi"}')},{"type":"message","role":"user","content":"Hi","id":"${id}"},{"role":"user","content":"${'a'.repeat(2_000)}"}`,
        ),
      );
    expect(parseOnLoop('/v1/responses', withId(`msg_1${ITEM_MARK}x`))).toBeNull();
    expect(parseOnLoop('/v1/responses', withId('msg_1'))).not.toBeNull();
  });
});

describe('a body that is not read on the event loop', () => {
  const { maxOutlinedBytes, maxOnLoopBytes, maxOnLoopMembers, maxOnLoopValues } = BODY_LIMITS;
  const objects = (count: number, name: string) =>
    chat(`"metadata":{"a":[${list(count, () => `{"${name}":{"a":1}}`)}]}`);

  it.each<[string, string, string]>([
    [
      'with more bytes',
      text('a '.repeat(maxOutlinedBytes / 2 - 50)),
      text('a '.repeat(maxOutlinedBytes / 2)),
    ],
    [
      'with a larger outline',
      chat(`"user":"${'a'.repeat(maxOnLoopBytes - 100)}"`),
      chat(`"user":"${'a'.repeat(maxOnLoopBytes)}"`),
    ],
    [
      'with more members if their names must be compared as text',
      objects(maxOnLoopMembers / 2 + 1, 'b'),
      objects(maxOnLoopMembers / 2 + 1, String.raw`\u0062`),
    ],
    [
      'with more values if a number must be read',
      chat(`"metadata":{"a":[1,${list(maxOnLoopValues, () => '1')}]}`),
      chat(`"metadata":{"a":[1e1,${list(maxOnLoopValues, () => '1')}]}`),
    ],
  ])('is one %s than the limit', (_name, read, left) => {
    expect(parseOnLoop('/v1/chat/completions', Buffer.from(read))).not.toBeNull();
    expect(parseOnLoop('/v1/chat/completions', Buffer.from(left))).toBeNull();
  });
});
