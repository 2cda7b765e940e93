import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editJsonMembers } from './edit-members.ts';

const edit = (json: string, changes: Record<string, string>) =>
  editJsonMembers(Buffer.from(json), changes).toString();

describe('editJsonMembers', () => {
  it('replaces a value and leaves every other byte', () => {
    const json = '{ "a": 1.0e2,\n "model" : "x\\"y" , "n": 12345678901234567890 }';
    expect(edit(json, { model: '"z"' })).toBe('{ "a": 1.0e2,\n "model" : "z" , "n": 12345678901234567890 }');
  });

  it('adds a member that is missing', () => {
    expect(edit('{"a":1}', { b: 'true' })).toBe('{"b":true,"a":1}');
    expect(edit(' { } ', { b: 'true' })).toBe(' {"b":true } ');
  });

  it('does not touch a member of the same name further down', () => {
    const json = '{"nested":{"model":"inner"},"list":[{"model":1}],"model":null}';
    expect(edit(json, { model: '2' })).toBe('{"nested":{"model":"inner"},"list":[{"model":1}],"model":2}');
  });

  it('replaces every copy of a duplicated member', () => {
    expect(edit('{"model":"a","model":"b"}', { model: '"c"' })).toBe('{"model":"c","model":"c"}');
  });

  it('means the same as parsing, changing and serialising, for any object and spacing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('model', 'stream_options', 'a'),
        fc.jsonValue(),
        fc.constantFrom(0, 2, '\t'),
        (object, name, value, indent) => {
          const edited = edit(JSON.stringify(object, null, indent), { [name]: JSON.stringify(value) });
          const expected = JSON.parse(JSON.stringify({ ...object, [name]: value }));
          expect(JSON.parse(edited)).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
