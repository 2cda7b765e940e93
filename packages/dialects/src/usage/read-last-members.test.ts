import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { MAX_END_BYTES, readLastMembers } from './read-last-members.ts';

const USAGE = { prompt_tokens: 20, completion_tokens: 7 };
const FALSE = { prompt_tokens: 1, completion_tokens: 1 };
const FILE = 'iVBORw0K'.repeat(MAX_END_BYTES / 4);

const getEnd = (body: object, indent?: number) =>
  Buffer.from(JSON.stringify(body, null, indent)).subarray(-MAX_END_BYTES);

it.each([undefined, 2])('reads the usage at the end of an answer whose beginning is missing', (indent) => {
  const body = { choices: [{ message: { content: FILE } }], usage: USAGE, service_tier: 'flex' };
  expect(readLastMembers(getEnd(body, indent))).toEqual({ usage: USAGE, service_tier: 'flex' });
});

it.each([
  ['in a text', { content: `${FILE} "usage":{"prompt_tokens":1}` }],
  ['in the input of a tool', { content: FILE, calls: [{ input: { usage: FALSE } }] }],
  ['in a tool that follows', { content: FILE, usage: USAGE, tools: [{ schema: { usage: FALSE } }] }],
  ['as a value', { content: FILE, usage: USAGE, unit: 'usage' }],
])('does not take the usage of the model for the usage of the provider: %s', (_, body) => {
  const members = readLastMembers(getEnd(body));
  expect(members?.['usage'] ?? null).toEqual('usage' in body ? USAGE : null);
});

it('reads nothing of a truncated answer', () => {
  const json = getEnd({ content: FILE, usage: USAGE });
  for (let cut = 1; cut <= 60; cut += 1) expect(readLastMembers(json.subarray(0, -cut))).toBeNull();
});

it('takes little time for an answer full of usage', () => {
  const json = getEnd({ content: [FILE, ...Array.from({ length: 10_000 }, () => ({ usage: 0 }))] });
  expect(threadTimeMs(() => expect(readLastMembers(json)).toBeNull())).toBeLessThan(500);
});
