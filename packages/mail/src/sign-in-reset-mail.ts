import { layOutMail } from './lay-out-mail.ts';
import type { Mail } from './queue-mail.ts';

/** To somebody of whose login an operator has taken parts away, because they could not sign in any more. */
export function signInResetMail(removed: { twoFactor: boolean; passkeys: number }): Mail {
  const gone = [
    ...(removed.twoFactor ? ['the authenticator app and its recovery codes'] : []),
    ...(removed.passkeys > 0 ? [removed.passkeys === 1 ? 'the passkey' : 'all passkeys'] : []),
  ];
  return layOutMail({
    subject: 'Your sign-in was reset',
    paragraphs: [
      `An operator of this installation has removed ${gone.join(', and ')} of your Tollgate login. Every browser that was signed in is signed out.`,
      'Your password stays as it is. Sign in with it, and set the second step up again in the settings.',
    ],
    closing: ['If you did not ask for it, tell the operator of this installation at once.'],
  });
}
