import { expect, it } from 'vitest';
import { keepFormSchema } from './keep-form.ts';

const read = (retentionDays: string) => keepFormSchema.safeParse({ retentionDays });

it.each(['1', ' 7 ', '30'])('takes %j', (text) => {
  expect(read(text).data).toEqual({ retentionDays: Number(text) });
});

it.each(['', '0', '31', '-3', '1.5', 'a week', '1e1'])('rejects %j and names the valid range', (text) => {
  expect(read(text).error?.issues[0]?.message).toBe('Enter 1 to 30 days');
});
