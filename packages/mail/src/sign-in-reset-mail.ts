import { layOutMail } from './lay-out-mail.ts';
import type { Mail } from './queue-mail.ts';

/** To someone of whose login an operator has taken parts away, because they could not sign in any more. */
export function signInResetMail(removed: { twoFactor: boolean; passkeys: number }): Mail {
  const names = [
    ...(removed.twoFactor ? ['the authenticator app and its recovery codes'] : []),
    ...(removed.passkeys > 0 ? [removed.passkeys === 1 ? 'the passkey' : 'all passkeys'] : []),
  ];
  return layOutMail({
    subject: 'Your sign-in was reset',
    paragraphs: [
      `An operator removed ${names.join(', and ')} from your Tollgate account. You are signed out in all browsers.`,
      'Your password has not changed. Sign in with it and set up two-factor authentication again in the settings.',
    ],
    closing: ['If you did not request this, contact the operator of this installation immediately.'],
  });
}
