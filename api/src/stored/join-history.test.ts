import { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { expect, it } from 'vitest';
import { joinHistory, type HistoryPart } from './join-history.ts';

const response: HistoryPart = {
  kind: 'response',
  bytes: Buffer.from('{"output":[{"type":"message","role":"assistant","content":[]}]}'),
};
const previous: HistoryPart[] = [
  { kind: 'input', bytes: Buffer.from('[{"role":"user","content":"Hi"}]') },
  response,
];
const HISTORY = [
  { role: 'user', content: 'Hi' },
  { type: 'message', role: 'assistant', content: [] },
];

function join(input: string): unknown {
  const body = Buffer.from(`{"input":${input},"previous_response_id":"r"}`);
  const joined = joinHistory(body, previous, false);
  return joined.ok ? JSON.parse(joined.value.body.toString()) : joined;
}

it.each([
  ['"Go on"', [{ role: 'user', content: 'Go on' }]],
  ['""', [{ role: 'user', content: '' }]],
  ['[]', []],
  [' [ {"role":"user","content":"Go on"} ] ', [{ role: 'user', content: 'Go on' }]],
])('writes the stored conversation before the input %s', (input, own) => {
  expect(join(input)).toEqual({ input: [...HISTORY, ...own] });
});

it.each(['5', '123', 'null', 'true', '{"role":"user","content":"Go on"}'])(
  'leaves the input %s to the parser, which refuses it',
  (input) => {
    expect(join(input)).toEqual({ input: JSON.parse(input) as unknown });
  },
);

it('refuses a conversation larger than a request body, and takes one as large', () => {
  const text = 'a'.repeat(BODY_LIMITS.maxBytes / 2);
  const body = (size: number) => Buffer.from(`{"input":"${text.slice(0, size)}","previous_response_id":"r"}`);
  const input = Buffer.from(`[{"role":"user","content":"${text}"}]`);
  const whole: HistoryPart[] = [{ kind: 'input', bytes: input }, response];
  // A failure must not print what was joined.
  const join = (size: number) => {
    const joined = joinHistory(body(size), whole, false);
    return joined.ok ? joined.value.body.length : joined.error;
  };
  expect(join(text.length - 1_000)).toBeGreaterThan(BODY_LIMITS.maxBytes - 1_000);
  expect(join(text.length)).toMatchObject({ code: 'request_too_large', param: 'previous_response_id' });
});
