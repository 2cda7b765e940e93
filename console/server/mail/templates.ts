import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

// Subjects contain no codes: lock screens show them, and the outbox stores them unencrypted.

export function verifyEmailMail(input: { code: string; link: string }): Mail {
  return layOutMail({
    subject: 'Verify your email for Tollgate',
    paragraphs: ['Welcome to Tollgate. Enter this code to verify your email address:'],
    code: input.code,
    action: { label: 'Verify email', link: input.link },
    closing: [
      'The code expires in 15 minutes, the link in 24 hours.',
      'If you did not sign up, ignore this email. The account cannot be used until the address is verified.',
    ],
  });
}

export function alreadyRegisteredMail(input: { signInLink: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'You already have a Tollgate account',
    paragraphs: [
      'Someone tried to sign up for Tollgate with this email address. You already have an account, so nothing was changed.',
    ],
    action: { label: 'Sign in', link: input.signInLink },
    closing: [
      `Forgot your password? Set a new one: ${input.forgotLink}`,
      'If this was not you, ignore this email.',
    ],
  });
}

export function resetPasswordMail(input: { link: string }): Mail {
  return layOutMail({
    subject: 'Set a new password for Tollgate',
    paragraphs: ['You requested a new password for your Tollgate account.'],
    action: { label: 'Set a new password', link: input.link },
    closing: [
      'The link works once and expires in one hour.',
      'If you did not request this, ignore this email. Your password will not change.',
    ],
  });
}

export function passwordChangedMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'Your Tollgate password was changed',
    paragraphs: [
      'The password of your Tollgate account was changed, and all other sessions were signed out.',
    ],
    closing: [`If this was not you, set a new password immediately: ${input.forgotLink}`],
  });
}

export function confirmEmailMail(input: { code: string; link: string }): Mail {
  return layOutMail({
    subject: 'Confirm your new email for Tollgate',
    paragraphs: ['Enter this code to make this the email address of your Tollgate account:'],
    code: input.code,
    action: { label: 'Confirm email', link: input.link },
    closing: [
      'The code expires in 15 minutes, the link in 24 hours. You must be signed in to use the link.',
      'If you did not request this, ignore this email. No account will use your address.',
    ],
  });
}

/** To the old address, which may be a stranger's by a typing error: it does not name the new one. */
export function emailChangeRequestedMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'Email address change requested',
    paragraphs: [
      'Someone with your password asked to change the email address of your Tollgate account. Nothing changes until the new address is confirmed.',
    ],
    closing: [
      `If this was not you, set a new password immediately. This also cancels the change: ${input.forgotLink}`,
    ],
  });
}

export function emailChangedMail(): Mail {
  return layOutMail({
    subject: 'The email address of your Tollgate account was changed',
    paragraphs: [
      'Your Tollgate account now has another email address. This address can no longer be used to sign in or reset the password.',
    ],
    closing: ['If this was not you, contact the operator of this installation immediately.'],
  });
}

export function addressTakenMail(input: { signInLink: string }): Mail {
  return layOutMail({
    subject: 'This address already has a Tollgate account',
    paragraphs: [
      'Someone tried to change their Tollgate account to this email address. It already belongs to an account, so nothing was changed.',
    ],
    action: { label: 'Sign in', link: input.signInLink },
    closing: ['If this was not you, ignore this email.'],
  });
}
