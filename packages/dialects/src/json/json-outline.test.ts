import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { closeJson } from './close-json.ts';
import { JsonOutline, type OutlineRules } from './json-outline.ts';
import { leftOutBytes } from './left-out.ts';

const RULES: OutlineRules = {
  isLeftOut: (name, isString) => name === 'tools' || (name === 'text' && !isString),
  isKept: (name) => name === 'text',
  isKeptWhole: (name) => name === 'input',
  maxStringBytes: 20,
};

function getOutline(json: Buffer, cuts: readonly number[] = [], rules = RULES): string {
  const outline = new JsonOutline(rules);
  let from = 0;
  for (const cut of [...cuts, json.length]) {
    outline.push(json, from, cut);
    from = cut;
  }
  return outline.text;
}

/** The same on a parsed value. @param indent of the JSON, in spaces */
function shorten(value: unknown, indent: number): unknown {
  let last = '';
  const mark = (each: unknown, level: number) => {
    const json = JSON.stringify(each, null, indent);
    const quotes = typeof each === 'string' ? 2 : 0;
    return `\0left out:${Buffer.byteLength(json) - quotes + (json.split('\n').length - 1) * indent * level}`;
  };
  const visit = (each: unknown, level: number): unknown => {
    if (typeof each === 'string')
      return Buffer.byteLength(JSON.stringify(each)) > RULES.maxStringBytes && !RULES.isKept(last)
        ? mark(each, level)
        : each;
    if (typeof each !== 'object' || each === null) return each;
    if (Array.isArray(each)) return each.map((entry) => visit(entry, level + 1));
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(each) as [string, unknown][]) {
      last = name;
      const isInner = typeof member === 'object' && member !== null;
      const isLeftOut = (typeof member === 'string' || isInner) && RULES.isLeftOut(name, !isInner);
      if (isInner && RULES.isKeptWhole(name)) members.push([name, member]);
      else members.push([name, isLeftOut ? mark(member, level + 1) : visit(member, level + 1)]);
    }
    return Object.fromEntries(members);
  };
  return visit(value, 0);
}

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('"', '\\', '\\"', 'a \\ long " text {[with]}: everything', 'tools', ':{'),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.constantFrom(1, -2.5e7, true, false, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('tools', 'text', 'other', 'q"[', 'a', 'input'), tie('value'), {
      maxKeys: 4,
    }),
  ),
})).value;

describe('JsonOutline', () => {
  it('leaves the same values out wherever the bytes are cut', () => {
    fc.assert(
      fc.property(values, fc.boolean(), fc.array(fc.nat(400), { maxLength: 8 }), (value, isSpaced, cuts) => {
        const json = Buffer.from(JSON.stringify(value, null, isSpaced ? 2 : 0));
        const places = cuts.map((cut) => Math.min(cut, json.length)).toSorted((a, b) => a - b);
        const expected = shorten(value, isSpaced ? 2 : 0);
        expect(JSON.parse(getOutline(json, places))).toEqual(expected);
        expect(
          JSON.parse(
            getOutline(
              json,
              Array.from(json, (_byte, at) => at),
            ),
          ),
        ).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('copies a text without long values byte by byte', () => {
    const json = Buffer.from(
      '{ "a" : [1, "tools" , {"text": "any length is kept here, with \\u00e9 and é"}] }',
    );
    expect(getOutline(json)).toBe(json.toString());
  });

  it('gives the length of a value that it left out, also of one that was cut off', () => {
    const left = JSON.parse(
      getOutline(Buffer.from('{"a":"0123456789 0123456789","tools":[1, 2]}')),
    ) as object;
    expect(Object.values(left).map((each) => leftOutBytes(each))).toEqual([21, 6]);
    const cut = closeJson(Buffer.from(getOutline(Buffer.from('{"a":"0123456789 0123456789'))));
    expect(Object.values(JSON.parse(cut.text) as object).map((each) => leftOutBytes(each))).toEqual([0]);
    expect(['', 'left out:7', '\0left out:7 ', 7, null].map((each) => leftOutBytes(each))).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });

  it.each([
    [
      'log probabilities',
      `{"tools":[${'{"token":"hello","bytes":[104,101],"top":[{"a":1}]},'.repeat(90_000)}1]}`,
    ],
    ['a file', `{"result":"${'iVBORw0KGgo'.repeat(500_000)}"}`],
    ['empty values', `{${'"tools":[],'.repeat(400_000)}"a":1}`],
    ['members', `{${'"a":1,'.repeat(800_000)}"a":1}`],
    ['quotes', `["${'\\"'.repeat(2_000_000)}"]`],
    ['colons', ':'.repeat(4_000_000)],
  ])('reads %s in time that grows with their length', (_name, json) => {
    const bytes = Buffer.from(json);
    const cuts = Array.from({ length: Math.floor(bytes.length / 1_400) }, (_, at) => at * 1_400);
    // 10 to 100 ms for 4 MB on an idle machine.
    expect(threadTimeMs(() => getOutline(bytes, cuts))).toBeLessThan(1_500);
  });

  it('refuses a text of which too much remains', () => {
    const outline = new JsonOutline(RULES);
    const piece = Buffer.from('1,'.repeat(512 * 1024));
    expect(() => {
      for (let count = 0; count < 17; count += 1) outline.push(piece, 0, piece.length);
    }).toThrow('too large');
  });
});
