import type { InvitableRole } from '@tollgate/core/people/roles';
import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

// Names of accounts are chosen by their people: no subject carries one, and no mail takes one as a sentence of ours.

const RIGHTS: Record<InvitableRole, string> = {
  admin: 'manage its keys, its people and its money',
  member: 'create and revoke its API keys and see its usage',
  viewer: 'see its keys and its usage',
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
      `${input.invitedByEmail} invites you to the account “${input.accountName}” as ${withArticle(input.role)}. You could then ${RIGHTS[input.role]}.`,
    ],
    action: { label: 'See the invitation', link: input.link },
    closing: [
      `The link works for ${input.days} days, and only for whoever signs in with this e-mail address; an account of your own is made in a minute.`,
      'If you do not know who sent it, do nothing.',
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
    action: { label: 'See the team', link: input.link },
    closing: [],
  });
}

export function removedMail(input: { accountName: string }): Mail {
  return layOutMail({
    subject: 'You were removed from an account on Tollgate',
    paragraphs: [
      `You no longer belong to the account “${input.accountName}”. Keys that you created for it stay with it.`,
    ],
    closing: ['If you did not expect this, ask the people of that account.'],
  });
}

/** To the new owner. */
export function ownershipReceivedMail(input: { accountName: string; from: string; link: string }): Mail {
  return layOutMail({
    subject: 'You now own an account on Tollgate',
    paragraphs: [
      `${input.from} handed the account “${input.accountName}” over to you, with its balance. Automatic top-ups are off and no card is saved: set them up anew if you want them.`,
    ],
    action: { label: 'See the account', link: input.link },
    closing: [],
  });
}

/** To the former owner: a thief of their session could not do it unnoticed. */
export function ownershipGivenMail(input: { accountName: string; to: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'You handed over an account on Tollgate',
    paragraphs: [
      `The account “${input.accountName}” now belongs to ${input.to}. You are an admin of it, and your saved card was forgotten.`,
    ],
    closing: [
      `If it was not you, set a new password at once and tell the operator of this installation: ${input.forgotLink}`,
    ],
  });
}

function withArticle(role: InvitableRole): string {
  return role === 'admin' ? 'an admin' : `a ${role}`;
}
