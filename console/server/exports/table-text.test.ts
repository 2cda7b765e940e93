import { describe, expect, it } from 'vitest';
import { tableText } from './table-text.ts';

describe('CSV', () => {
  const text = tableText('csv', ['name', 'count']);

  it('quotes cells that contain separators, and leaves unknown values empty', () => {
    expect(text.begin).toBe('name,count\r\n');
    expect(
      text.rows([
        ['a "b", c', 1],
        [null, 2],
        ['two\nlines', null],
      ]),
    ).toBe('"a ""b"", c",1\r\n,2\r\n"two\nlines",\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@a', '\t=1', '\r=1'])('gives spreadsheets no formula: %j', (name) => {
    expect(text.rows([[name, 1]]).replace('"', '')).toMatch(/^'/);
  });

  it.each(["a;=cmd|'/C calc'!A0", 'a; +1'])(
    'gives no formula to spreadsheets that split at semicolons: %j',
    (name) => {
      expect(text.rows([[name, 1]])).toBe(`"'${name}",1\r\n`);
    },
  );

  it('does not change negative numbers', () => {
    expect(text.rows([['a', -1]])).toBe('a,-1\r\n');
  });
});

describe('JSON', () => {
  it('is one array however its rows come', () => {
    const text = tableText('json', ['name', 'count']);
    const written = text.begin + text.rows([['a', 1]]) + text.rows([]) + text.rows([['=b', null]]) + text.end;
    expect(JSON.parse(written)).toEqual([
      { name: 'a', count: 1 },
      { name: '=b', count: null },
    ]);
  });

  it('keeps objects, which are text in CSV', () => {
    const row = [{ amount: '1', tags: ['a'] }];
    const json = tableText('json', ['detail']);
    expect(JSON.parse(json.begin + json.rows([row]) + json.end)).toEqual([{ detail: row[0] }]);
    expect(tableText('csv', ['detail']).rows([row])).toBe('"{""amount"":""1"",""tags"":[""a""]}"\r\n');
  });

  it('is an array if there is no row', () => {
    const text = tableText('json', ['name']);
    expect(JSON.parse(text.begin + text.end)).toEqual([]);
  });
});
