import { MAX_RETENTION_DAYS, RETENTION_KINDS } from '@tollgate/core/requests/retention';
import { describe, expect, it } from 'vitest';
import { keepFormSchema } from './keep-form.ts';

describe.each(RETENTION_KINDS)('the retention of %s', (kind) => {
  const max = MAX_RETENTION_DAYS[kind];
  const read = (retentionDays: string) => keepFormSchema(kind).safeParse({ retentionDays });

  it.each(['1', ' 7 ', String(max)])('takes %j', (text) => {
    expect(read(text).data).toEqual({ retentionDays: Number(text) });
  });

  it.each(['', '0', String(max + 1), '-3', '1.5', 'a week', '1e1'])(
    'rejects %j and names the valid range',
    (text) => {
      expect(read(text).error?.issues[0]?.message).toBe(`Enter 1 to ${max} days`);
    },
  );
});
