import { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { expect, it } from 'vitest';
import { joinPrevious } from './join-previous.ts';

const previous = {
  input: Buffer.from('[{"role":"user","content":"Hi"}]'),
  response: Buffer.from('{"output":[{"type":"message","role":"assistant","content":[]}]}'),
};
const HISTORY = [
  { role: 'user', content: 'Hi' },
  { type: 'message', role: 'assistant', content: [] },
];

function join(input: string): unknown {
  const joined = joinPrevious(Buffer.from(`{"input":${input},"previous_response_id":"r"}`), previous);
  return joined.ok ? JSON.parse(joined.value.toString()) : joined;
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
  const whole = { ...previous, input: Buffer.from(`[{"role":"user","content":"${text}"}]`) };
  // A failure must not print what was joined.
  const join = (size: number) => {
    const joined = joinPrevious(body(size), whole);
    return joined.ok ? joined.value.length : joined.error;
  };
  expect(join(text.length - 1_000)).toBeGreaterThan(BODY_LIMITS.maxBytes - 1_000);
  expect(join(text.length)).toMatchObject({ code: 'request_too_large', param: 'previous_response_id' });
});
