import { expect, it } from 'vitest';
import { signInResetMail } from './sign-in-reset-mail.ts';

it.each([
  [{ twoFactor: true, passkeys: 0 }, 'the authenticator app and its recovery codes of your'],
  [{ twoFactor: false, passkeys: 1 }, 'the passkey of your'],
  [
    { twoFactor: true, passkeys: 3 },
    'the authenticator app and its recovery codes, and all passkeys of your',
  ],
])('tells what is gone of a login: %o', (removed, words) => {
  const { text, html } = signInResetMail(removed);
  for (const body of [text, html]) expect(body).toContain(words);
});
