import { describe, expect, it } from 'vitest';
import { accountNameSchema } from './account-name.ts';

describe('the name of an account', () => {
  it.each(['Acme', '  Acme, Inc.  ', 'Åsa & söner', 'me@example.com', '株式会社', 'x'.repeat(80)])(
    'may be %j',
    (name) => {
      expect(accountNameSchema.parse(name)).toBe(name.trim());
    },
  );

  it.each([
    '',
    '   ',
    'x'.repeat(81),
    'two\nlines',
    'turned\u202Earound',
    'tab\tbed',
    'https://x.example',
    'WWW.x.example',
  ])('is not %j', (name) => {
    expect(accountNameSchema.safeParse(name).success).toBe(false);
  });
});
