import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

/** @param input.label the provider: `GitHub` */
export function confirmLinkMail(input: { code: string; label: string }): Mail {
  return layOutMail({
    subject: `Sign in to Tollgate with ${input.label}`,
    paragraphs: [
      `Someone is signing in with ${input.label} and the email address of your Tollgate account. If this is you, enter this code:`,
    ],
    code: input.code,
    closing: [
      'The code expires in 15 minutes. After you enter it, this login can sign in to your account.',
      'If this was not you, ignore this email. The code is required to sign in.',
    ],
  });
}

export function identityLinkedMail(input: { label: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: `${input.label} can sign you in to Tollgate`,
    paragraphs: [`A ${input.label} login was linked to your Tollgate account and can now sign in to it.`],
    closing: [
      `If this was not you, set a new password and unlink the login in the settings: ${input.forgotLink}`,
    ],
  });
}

export function identityUnlinkedMail(input: { label: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: `${input.label} can no longer sign you in to Tollgate`,
    paragraphs: [`The ${input.label} login was unlinked from your Tollgate account.`],
    closing: [`If this was not you, set a new password immediately: ${input.forgotLink}`],
  });
}
