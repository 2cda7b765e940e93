import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

// No subject carries a code: subjects stand on lock screens and, unsealed, in the outbox.

export function verifyEmailMail(input: { code: string; link: string }): Mail {
  return layOutMail({
    subject: 'Verify your e-mail for Tollgate',
    paragraphs: ['Welcome to Tollgate. Enter this code to verify your e-mail address:'],
    code: input.code,
    action: { label: 'Or verify with one click', link: input.link },
    closing: [
      'The code works for 15 minutes, the link for 24 hours.',
      'If you did not sign up, do nothing: without your click the address stays unverified and the account unusable.',
    ],
  });
}

export function alreadyRegisteredMail(input: { signInLink: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'You already have a Tollgate account',
    paragraphs: [
      'Somebody just tried to sign up to Tollgate with this e-mail address. You have an account already, so nothing was changed.',
    ],
    action: { label: 'Sign in', link: input.signInLink },
    closing: [
      `Forgot your password? Set a new one: ${input.forgotLink}`,
      'If it was not you, there is nothing to do.',
    ],
  });
}

export function resetPasswordMail(input: { link: string }): Mail {
  return layOutMail({
    subject: 'Set a new password for Tollgate',
    paragraphs: ['You asked for a new password for your Tollgate account.'],
    action: { label: 'Set a new password', link: input.link },
    closing: [
      'The link works once, for one hour.',
      'If you did not ask for it, do nothing: your password stays as it is.',
    ],
  });
}

export function passwordChangedMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'Your Tollgate password was changed',
    paragraphs: [
      'The password of your Tollgate account was just changed, and all other sessions were signed out.',
    ],
    closing: [`If it was not you, set a new password at once: ${input.forgotLink}`],
  });
}

export function confirmEmailMail(input: { code: string; link: string }): Mail {
  return layOutMail({
    subject: 'Confirm your new e-mail for Tollgate',
    paragraphs: ['Enter this code to make this the e-mail address of your Tollgate account:'],
    code: input.code,
    action: { label: 'Or confirm with one click', link: input.link },
    closing: [
      'The code works for 15 minutes, the link for 24 hours, where you are signed in.',
      'If you did not ask for it, do nothing: no account will use your address.',
    ],
  });
}

/** To the old address, which may be a stranger's by a typing error: it does not name the new one. */
export function emailChangeRequestedMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'A new e-mail address was asked for',
    paragraphs: [
      'Somebody who is signed in to your Tollgate account and knows its password asked to move it to another e-mail address. Nothing changes until they confirm from that mailbox.',
    ],
    closing: [`If it was not you, set a new password at once, which also stops this: ${input.forgotLink}`],
  });
}

export function emailChangedMail(): Mail {
  return layOutMail({
    subject: 'The e-mail address of your Tollgate account was changed',
    paragraphs: [
      'Your Tollgate account now has another e-mail address. This address can no longer be used to sign in or to reset its password.',
    ],
    closing: ['If it was not you, tell the operator of this installation at once.'],
  });
}

export function addressTakenMail(input: { signInLink: string }): Mail {
  return layOutMail({
    subject: 'This address already has a Tollgate account',
    paragraphs: [
      'Somebody asked to use this e-mail address for their Tollgate account. An account has it already, so nothing was changed.',
    ],
    action: { label: 'Sign in to that account', link: input.signInLink },
    closing: ['If it was not you, there is nothing to do.'],
  });
}
