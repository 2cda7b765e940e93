import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scanBody } from './scan-body.ts';

const spaced = (value: unknown, spaces: readonly string[]): string => {
  let next = 0;
  const space = () => spaces[next++ % spaces.length] ?? '';
  const write = (item: unknown): string => {
    if (Array.isArray(item))
      return `[${space()}${item.map((each) => write(each) + space()).join(`,${space()}`)}]`;
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const members = Object.entries(item).map(
      ([name, each]) => `${JSON.stringify(name)}${space()}:${space()}${write(each)}${space()}`,
    );
    return `{${space()}${members.join(`,${space()}`)}}`;
  };
  return space() + write(value) + space();
};

const spaces = fc.array(fc.stringMatching(/^[ \t\r\n]{0,2}$/), { minLength: 1, maxLength: 5 });
const isMalformed = (text: string) => scanBody(Buffer.from(text))?.code === 'invalid_json';

it('follows every JSON text to its end', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), spaces, (value, between) => {
      expect(isMalformed(spaced(value, between))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

it('never calls a mutated body malformed that JSON.parse accepts', () => {
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.stringMatching(/^[\]"\\{}[:,0-9eE.+ \n-]{0,2}$/));
  let read = 0;
  fc.assert(
    fc.property(damaged, ([text, place, inserted]) => {
      const at = place % (text.length + 1);
      const json = text.slice(0, at) + inserted + text.slice(at + (place % 2));
      try {
        JSON.parse(json);
      } catch {
        return;
      }
      read += 1;
      expect(isMalformed(json)).toBe(false);
    }),
    { numRuns: 5_000 },
  );
  expect(read).toBeGreaterThan(500);
});
