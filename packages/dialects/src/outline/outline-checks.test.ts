import { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { describe, expect, it } from 'vitest';
import { scanBody } from '../json/scan-body.ts';
import { findInOutline, outlineBody, UNBOUNDED, type OutlineLimits } from './outline-body.ts';

// A member of the body that is not known is enough for `scanBody` to check the whole body. So the bodies have only known ones.
const outline = (json: string, limits: Partial<OutlineLimits> = {}) =>
  outlineBody(Buffer.from(json), { ...UNBOUNDED, ...limits });
const list = (levels: number) =>
  `{"model":"m","metadata":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const numbers = (count: number) => `{"metadata":[${Array.from({ length: count }, () => '1').join()}]}`;
const members = (count: number) => `{"metadata":[${Array.from({ length: count }, () => '{"a":1}').join()}]}`;

describe('names that JSON readers disagree on', () => {
  it.each([
    '{"messages":[{"role":"user","role":"user"}]}',
    '{"messages":[{"role":"user","Role":"user"}]}',
    '{"messages":[{"Role":"user"}]}',
    String.raw`{"messages":[{"r\u006fle":"user"}]}`,
    '{"messages":[{"role":"user","content":[{"type":"text","Type":"text"}]}]}',
    '{"tools":[{"function":{"parameters":{"a":1,"a":2}}}]}',
    '{"metadata":{"a":1,"A":2}}',
    '{"metadata":{"s":1,"ſ":2}}',
    '{"metadata":{"é":1,"É":2}}',
    '{"metadata":{"__proto__":1}}',
    '{"maxtokens":1}',
    '{"max-tokens":1}',
    '{"ſtream":true}',
    `{"metadata":{${Array.from({ length: 100 }, (_, at) => `"n${at}":1`).join()},"n99":1}}`,
  ])('are refused in %s', (json) => {
    expect(scanBody(Buffer.from(json))).not.toBeNull();
    expect(outline(json)).toBeNull();
  });
});

describe('what is not one JSON object', () => {
  it.each([
    '{"model":"m"}}',
    '{"model":"m"} 1',
    '{"model":"m"}{"model":"n"}',
    '{"model":"m"',
    '{"model":"m",}',
    '{"model":"m"]',
    '{"model":"m" "user":"u"}',
    '{"max_tokens":01}',
    '{"max_tokens":1.}',
    '{"stream":tru}',
    '[{"model":"m"}]',
  ])('has no outline: %s', (json) => {
    expect(outline(json)).toBeNull();
  });
});

describe('the limits of an outline', () => {
  it('are the depth of a body', () => {
    expect(outline(list(BODY_LIMITS.maxDepth))).not.toBeNull();
    expect(outline(list(BODY_LIMITS.maxDepth + 1))).toBeNull();
  });

  it('are values and members, of which the body is one value', () => {
    expect(outline(numbers(8), { maxValues: 10 })).not.toBeNull();
    expect(outline(numbers(9), { maxValues: 10 })).toBeNull();
    expect(outline(members(9), { maxMembers: 10 })?.memberCount).toBe(10);
    expect(outline(members(10), { maxMembers: 10 })).toBeNull();
  });

  it('are its bytes', () => {
    const json = '{"model":"m"}';
    expect(outline(json, { maxBytes: json.length })).not.toBeNull();
    expect(outline(json, { maxBytes: json.length - 1 })).toBeNull();
  });
});

describe('a body that exceeds the tables of the program', () => {
  const names = Array.from({ length: 90 }, (_, at) => `"n${at}":1`).join();
  const MARKS = ['"mark"', 'other'];

  it.each([
    ['100,000 lists', `{"metadata":${'['.repeat(100_000)}`],
    ['100,000 objects', `{"metadata":${'{"a":'.repeat(100_000)}`],
    ['5,400 names of open objects', `{"metadata":${`{${names},"n":`.repeat(60)}1${'}'.repeat(61)}`],
    ['1,000 members', `{${Array.from({ length: 1_000 }, (_, at) => `"n${at}":1`).join()}}`],
  ])('does not change how the next ones are read: %s', (_, json) => {
    const read = () => ({
      refused: [
        outline('{"max_tokens":1.0}'),
        outline('{"messages":[{"Role":"user"}]}'),
        outline('{"user":"\\x"}'),
      ],
      places: outline('{"model":"m","user":"mark"}')?.places,
      none: outline('{"user":"marked"}') !== null && findInOutline(MARKS),
      found: outline('{"user":"mark"}') !== null && findInOutline(MARKS),
    });
    const before = read();
    expect(before).toEqual({
      refused: [null, null, null],
      places: [1, 8, 9, 12, 13, 19, 20, 26],
      none: [],
      found: ['"mark"'],
    });
    outline(json);
    expect(read()).toEqual(before);
  });
});
