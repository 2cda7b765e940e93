import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasRepeatedMember } from './has-repeated-member.ts';

const read = (json: string) => hasRepeatedMember(json, JSON.parse(json));

it.each([
  '{"a":1,"a":2}',
  '[{"b":[{"a":1 , "a" : 1}]}]',
  String.raw`{"a":1,"\u0061":2}`,
  '{"":null,"":null}',
])('%s has two members of one name', (json) => expect(read(json)).toBe(true));

it.each([
  '{"a":{"a":{"a":1}}}',
  String.raw`{"a":"\"a\":1","b":"x\\"}`,
  '[{"a":":"},{"a":"b"},"a","a"]',
  '{}',
  '"a"',
])('%s has not', (json) => expect(read(json)).toBe(false));

it('a value that is written by JSON.stringify never has', () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), (json, isSpread) => {
      const value: unknown = JSON.parse(json);
      expect(hasRepeatedMember(JSON.stringify(value, null, isSpread ? 2 : 0), value)).toBe(false);
    }),
  );
});
