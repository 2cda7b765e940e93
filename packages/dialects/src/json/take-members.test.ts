import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeJsonMembers } from './edit-members.ts';

const take = (json: string, ...names: string[]) => {
  const { rest, taken } = takeJsonMembers(Buffer.from(json), names);
  return [rest.toString(), taken];
};

describe('takeJsonMembers', () => {
  it('keeps the bytes of every other member', () => {
    expect(take('{ "model" : "m", "n": 1.0000000000000000001 , "stream":true}', 'model', 'stream')).toEqual([
      '{"n": 1.0000000000000000001}',
      { model: '"m"', stream: 'true' },
    ]);
    expect(take('{"a":{"model":1},"b":[{"model":2}]}', 'model')).toEqual([
      '{"a":{"model":1},"b":[{"model":2}]}',
      {},
    ]);
    expect(take('{"model":1}', 'model')).toEqual(['{}', { model: '1' }]);
  });

  it('takes a member however often it is repeated, and however its name is spelled', () => {
    expect(take(String.raw`{"model":1,"x":2,"\u006dodel":3}`, 'model')).toEqual(['{"x":2}', { model: '3' }]);
  });

  it('equals parsing, deleting and writing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.string()), (object, more) => {
        const names = [...Object.keys(object).slice(0, 2), ...more];
        const left = Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
        const { rest } = takeJsonMembers(Buffer.from(JSON.stringify(object)), names);
        expect(JSON.parse(rest.toString())).toEqual(JSON.parse(JSON.stringify(left)));
      }),
    );
  });
});
