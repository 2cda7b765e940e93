import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

/** @param input.label the provider: `GitHub` */
export function confirmLinkMail(input: { code: string; label: string }): Mail {
  return layOutMail({
    subject: `Sign in to Tollgate with ${input.label}`,
    paragraphs: [
      `Somebody signs in with ${input.label} and the e-mail address of your Tollgate account. If it is you, enter this code:`,
    ],
    code: input.code,
    closing: [
      'The code works for 15 minutes. From then on that login opens your account.',
      'If it was not you, do nothing: without the code nobody gets in.',
    ],
  });
}

export function identityLinkedMail(input: { label: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: `${input.label} can sign you in to Tollgate`,
    paragraphs: [`A ${input.label} login was just linked to your Tollgate account and opens it from now on.`],
    closing: [`If it was not you, set a new password and unlink it in the settings: ${input.forgotLink}`],
  });
}

export function identityUnlinkedMail(input: { label: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: `${input.label} no longer signs you in to Tollgate`,
    paragraphs: [`The ${input.label} login was just unlinked from your Tollgate account.`],
    closing: [`If it was not you, set a new password at once: ${input.forgotLink}`],
  });
}
