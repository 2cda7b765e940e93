import { Buffer } from 'node:buffer';
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
