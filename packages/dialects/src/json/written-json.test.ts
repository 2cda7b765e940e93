import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeJson, WrittenJson, WrittenList } from './written-json.ts';

it('writes the same JSON as for the values themselves', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (one, other, rest) => {
      const written = (value: unknown) => new WrittenJson(JSON.stringify(value));
      const value = { a: written(one), rest, list: [written(other), rest, { again: written(one) }] };
      expect(writeJson(value)).toBe(JSON.stringify({ a: one, rest, list: [other, rest, { again: one }] }));
      expect(writeJson({ rest })).toBe(JSON.stringify({ rest }));
    }),
  );
});

it('writes a list entry by entry', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.jsonValue(), { maxLength: 3 }), { maxLength: 5 }), (parts) => {
      const list = new WrittenList();
      for (const part of parts) expect(list.add(part).text).toBe(JSON.stringify(part));
      expect(writeJson(list.all)).toBe(JSON.stringify(parts.flat()));
    }),
  );
});
