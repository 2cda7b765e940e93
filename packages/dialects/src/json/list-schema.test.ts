import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { denyIssue } from './deny-issue.ts';
import { listSchema } from './list-schema.ts';

const schema = z.looseObject({
  list: z.union([z.string(), listSchema(z.looseObject({ name: z.string() }))]),
});

describe('listSchema', () => {
  it('reads valid lists', () => {
    const value = { list: [{ name: 'a', other: 1 }, { name: 'b' }] };
    expect(schema.parse(value)).toEqual(value);
    expect(schema.parse({ list: [] })).toEqual({ list: [] });
  });

  it('names the first invalid entry, as deep as the error is, and no other', () => {
    const parsed = schema.safeParse({ list: [{ name: 'a' }, { name: 1 }, 2, 3] });
    if (parsed.success) throw new Error('It was read');
    expect(denyIssue(parsed.error).error).toMatchObject({ param: 'list.1.name' });
    const whole = z
      .array(z.unknown())
      .pipe(listSchema(z.string()))
      .safeParse(Array.from({ length: 1_000 }, () => 0));
    expect(whole.error?.issues).toHaveLength(1);
  });

  it('stops at the first of a million errors', () => {
    const list = Array.from({ length: 1_000_000 }, () => 0);
    expect(threadTimeMs(() => expect(schema.safeParse({ list }).success).toBe(false))).toBeLessThan(250);
  });
});
