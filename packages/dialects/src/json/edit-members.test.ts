import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editJsonMembers, JsonObjectBytes } from './edit-members.ts';

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

  it('finds a member whose name is written with escapes or letters of several bytes', () => {
    expect(edit('{"m\\u006fdel":"a","größe":1}', { model: '"ü"', größe: '2' })).toBe(
      '{"m\\u006fdel":"ü","größe":2}',
    );
  });

  it('returns the same bytes if every member has its value', () => {
    const json = Buffer.from('{"model":"größe","stream":false}');
    expect(editJsonMembers(json, { model: '"größe"', stream: 'false' })).toBe(json);
    expect(edit('{"stream":false}', { stream: 'true' })).toBe('{"stream":true}');
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

describe('an object as its bytes', () => {
  it('has the same meaning after an edit as one that was parsed, changed and written', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'model');
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.jsonValue()),
        fc.dictionary(name, fc.jsonValue(), { maxKeys: 2 }),
        fc.array(name, { maxLength: 3 }),
        fc.constantFrom(0, 2),
        (object, changed, drops, indent) => {
          const bytes = Buffer.from(JSON.stringify(object, null, indent));
          const changes = Object.fromEntries(
            Object.entries(changed).map(([key, value]) => [key, JSON.stringify(value)]),
          );
          const left = Object.fromEntries(
            Object.entries(object).filter(([key]) => !drops.some((drop) => drop === key)),
          );
          const edited = new JsonObjectBytes(bytes).edit({ drops, changes }).toString();
          const pieces = new JsonObjectBytes(bytes).editInPieces({ drops, changes });
          expect(Buffer.concat(pieces).toString()).toBe(edited);
          expect(JSON.parse(edited)).toEqual(JSON.parse(JSON.stringify({ ...left, ...changed })));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is edited without copying unchanged members', () => {
    const bytes = Buffer.from(`{"messages":"${'x'.repeat(100_000)}","model":"a"}`);
    const pieces = new JsonObjectBytes(bytes).editInPieces({ drops: [], changes: { model: '"b"' } });
    expect(
      pieces.filter(({ buffer }) => buffer === bytes.buffer).reduce((sum, { length }) => sum + length, 0),
    ).toBe(bytes.length - 3);
  });

  it('knows a member whose name is written in escapes', () => {
    const bytes = Buffer.from(String.raw`{"\u006d\u006f\u0064\u0065\u006c":"a","n":1}`);
    const object = new JsonObjectBytes(bytes);
    expect(object.mayHave('model')).toBe(true);
    expect(object.getText('model')).toBe('"a"');
    expect(JSON.parse(object.edit({ drops: [], changes: { model: '"b"' } }).toString())).toEqual({
      model: 'b',
      n: 1,
    });
    expect(object.edit({ drops: ['model'], changes: {} }).toString()).toBe('{"n":1}');
  });

  it('returns the text of a member, the last of two', () => {
    const object = new JsonObjectBytes(Buffer.from('{"a":1,"b":[2], "a": 3 }'));
    expect([object.getText('a'), object.getText('b'), object.getText('c')]).toEqual(['3', '[2]', undefined]);
  });
});
