import type { InvitableRole } from '@tollgate/core/people/roles';
import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

// Members choose account names: no subject contains one, and no email presents one as our own text.

const RIGHTS: Record<InvitableRole, string> = {
  admin: 'manage its keys, members and billing',
  member: 'create and revoke API keys and view usage',
  viewer: 'view keys and usage',
};

export function invitationMail(input: {
  accountName: string;
  invitedByEmail: string;
  role: InvitableRole;
  link: string;
  /** How long the link works. */
  days: number;
}): Mail {
  return layOutMail({
    subject: 'You are invited to an account on Tollgate',
    paragraphs: [
      `${input.invitedByEmail} invited you to the account “${input.accountName}” as ${withArticle(input.role)}. You will be able to ${RIGHTS[input.role]}.`,
    ],
    action: { label: 'Accept invitation', link: input.link },
    closing: [
      `The link works once, for ${input.days} days, and only with this email address. It confirms your email address, so keep it to yourself.`,
      'If you do not know the sender, ignore this email.',
    ],
  });
}

export function joinedMail(input: {
  accountName: string;
  email: string;
  role: InvitableRole;
  link: string;
}): Mail {
  return layOutMail({
    subject: 'Your invitation was accepted',
    paragraphs: [`${input.email} is now ${withArticle(input.role)} of the account “${input.accountName}”.`],
    action: { label: 'View team', link: input.link },
    closing: [],
  });
}

export function removedMail(input: { accountName: string }): Mail {
  return layOutMail({
    subject: 'You were removed from an account on Tollgate',
    paragraphs: [
      `You are no longer a member of the account “${input.accountName}”. Keys that you created stay with the account.`,
    ],
    closing: ['If you did not expect this, contact the members of that account.'],
  });
}

/** To the new owner. */
export function ownershipReceivedMail(input: { accountName: string; from: string; link: string }): Mail {
  return layOutMail({
    subject: 'You now own an account on Tollgate',
    paragraphs: [
      `${input.from} transferred the account “${input.accountName}” and its balance to you. Automatic top-ups are off and no card is saved. You can set them up in Billing.`,
    ],
    action: { label: 'View account', link: input.link },
    closing: [],
  });
}

/** Sent to the former owner, who notices a transfer that they did not make. */
export function ownershipGivenMail(input: { accountName: string; to: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'You transferred an account on Tollgate',
    paragraphs: [
      `The account “${input.accountName}” now belongs to ${input.to}. You are now an admin, and your saved card was removed.`,
    ],
    closing: [
      `If this was not you, contact the operator and set a new password immediately: ${input.forgotLink}`,
    ],
  });
}

function withArticle(role: InvitableRole): string {
  return role === 'admin' ? 'an admin' : `a ${role}`;
}
