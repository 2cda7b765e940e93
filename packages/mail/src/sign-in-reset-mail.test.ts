import { expect, it } from 'vitest';
import { signInResetMail } from './sign-in-reset-mail.ts';

it.each([
  [{ twoFactor: true, passkeys: 0 }, 'the authenticator app and its recovery codes from your'],
  [{ twoFactor: false, passkeys: 1 }, 'the passkey from your'],
  [
    { twoFactor: true, passkeys: 3 },
    'the authenticator app and its recovery codes, and all passkeys from your',
  ],
])('lists what was removed: %o', (removed, words) => {
  const { text, html } = signInResetMail(removed);
  for (const body of [text, html]) expect(body).toContain(words);
});
