import { formatUsd } from '@tollgate/core/money/money';
import { formatPlural } from '../../lib/format/count.ts';
import { formatBalance } from '../../lib/format/money.ts';
import type { AuditRow } from '../../lib/trpc.ts';

type Describe = (entry: AuditRow) => string;

const text = ({ detail }: AuditRow, name: string): string => {
  const value = detail[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
const getKey = ({ keyName, detail, subject }: AuditRow): string => {
  const noted = detail['name'];
  return keyName ?? (typeof noted === 'string' ? noted : (subject ?? 'a key'));
};
const nanoUsd = (entry: AuditRow, name: string): string => {
  const amount = text(entry, name);
  return /^-?\d+$/.test(amount) ? formatBalance(amount) : 'an amount';
};
const cents = (entry: AuditRow, name: string): string => {
  const amount = text(entry, name);
  return /^\d+$/.test(amount) ? `$${formatUsd(BigInt(amount) * 10_000_000n)}` : 'an amount';
};
const upTo = (entry: AuditRow): string =>
  text(entry, 'monthlyMaxCents') === '' ? '' : `, up to ${cents(entry, 'monthlyMaxCents')} a month`;
const getDays = (entry: AuditRow, name: string): string => formatPlural(Number(text(entry, name)), 'day');
const because = (entry: AuditRow): string =>
  text(entry, 'reason') === '' ? '' : `: ${text(entry, 'reason')}`;

const getTags = ({ detail: { tags } }: AuditRow): string =>
  Array.isArray(tags) && tags.length > 0 ? `set the tags ${tags.join(', ')} on` : 'removed all tags from';

/** Predicates of sentences that start with the actor. */
const SENTENCES: Record<string, Describe> = {
  'key.create': (entry) => `created the key ${getKey(entry)}`,
  'key.revoke': (entry) => `revoked the key ${getKey(entry)}`,
  'key.rotate': (entry) => `rotated the key ${getKey(entry)}`,
  'key.tag': (entry) => `${getTags(entry)} the key ${getKey(entry)}`,
  'view.share': (entry) => `shared the view ${text(entry, 'name')} of the request log`,
  'view.unshare': (entry) => `stopped sharing the view ${text(entry, 'name')} of the request log`,
  'view.change': (entry) => `changed the shared view ${text(entry, 'name')} of the request log`,
  'view.remove': (entry) => `deleted the shared view ${text(entry, 'name')} of the request log`,
  'billing.top_up': (entry) => `started a top-up of ${cents(entry, 'amountCents')}`,
  'billing.auto_top_up': (entry) =>
    entry.detail['enabled'] === false
      ? `turned off automatic top-ups${entry.detail['isAfterRefund'] === true ? ' with a refund' : ''}`
      : `set automatic top-ups of ${cents(entry, 'amountCents')} below ${nanoUsd(entry, 'thresholdNanoUsd')}${upTo(entry)}`,
  'billing.details': () => 'changed the billing details',
  'billing.method_removed': () => 'removed the saved card',
  'billing.low_balance_alert': (entry) =>
    text(entry, 'thresholdNanoUsd') === ''
      ? 'turned off the low-balance email'
      : `turned on the low-balance email below ${nanoUsd(entry, 'thresholdNanoUsd')}`,
  'payment.refund': (entry) => `refunded ${cents(entry, 'amountCents')} of a payment${because(entry)}`,
  'payment.refund_refused': (entry) =>
    `could not refund ${cents(entry, 'amountCents')} of a payment: ${text(entry, 'failure')}`,
  'account.credit': (entry) => `changed the balance by ${nanoUsd(entry, 'amountNanoUsd')}${because(entry)}`,
  'account.plan': (entry) => `changed the plan from ${text(entry, 'from')} to ${text(entry, 'to')}`,
  'account.deleted': () => 'closed the account',
  'account.suspend': (entry) => `suspended the account${because(entry)}`,
  'account.resume': (entry) => `resumed the account${because(entry)}`,
  'account.view': (entry) => `started viewing the account read-only${because(entry)}`,
  'account.view_end': () => 'stopped viewing the account',
  'account.rename': (entry) => `renamed the account from ${text(entry, 'from')} to ${text(entry, 'to')}`,
  'account.own_credential_set': (entry) =>
    entry.detail['valueChanged'] === false
      ? `changed the use of the own credential for ${text(entry, 'provider')} to ${text(entry, 'mode')}`
      : `attached an own credential for ${text(entry, 'provider')}, used ${text(entry, 'mode')}`,
  'account.own_credential_remove': (entry) => `removed the own credential for ${text(entry, 'provider')}`,
  'account.keep_bodies': (entry) =>
    text(entry, 'from') === ''
      ? `turned on request logging for ${getDays(entry, 'days')}`
      : `changed request log retention from ${getDays(entry, 'from')} to ${getDays(entry, 'days')}`,
  'account.stop_keeping_bodies': () => 'turned off request logging and deleted all logged content',
  'account.keep_responses': (entry) =>
    text(entry, 'from') === ''
      ? `turned on stored responses for ${getDays(entry, 'days')}`
      : `changed the retention of stored responses from ${getDays(entry, 'from')} to ${getDays(entry, 'days')}`,
  'account.stop_keeping_responses': () => 'turned off stored responses and deleted all of them',
  'request.view': ({ subject }) => `viewed ${subject ?? 'a request'}`,
  'request.read_bodies': ({ subject }) => `viewed the logged content of ${subject ?? 'a request'}`,
  'account.two_factor_required': () => 'required two-factor authentication of members',
  'account.two_factor_optional': () => 'turned off the two-factor requirement',
  'account.transfer': (entry) => `transferred the account to ${text(entry, 'email')}`,
  'member.role': (entry) =>
    `changed the role of ${text(entry, 'email')} from ${text(entry, 'from')} to ${text(entry, 'to')}`,
  'member.remove': (entry) => `removed ${text(entry, 'email')}, ${text(entry, 'role')}`,
  'member.leave': (entry) => `left the account as ${text(entry, 'role')}`,
  'demo.seed': () => 'added a month of demo usage',
  'invitation.create': (entry) => `invited ${text(entry, 'email')} as ${text(entry, 'role')}`,
  'invitation.resend': (entry) => `sent the invitation to ${text(entry, 'email')} again`,
  'invitation.withdraw': (entry) => `withdrew the invitation to ${text(entry, 'email')}`,
  'invitation.accept': (entry) => `joined as ${text(entry, 'role')}`,
  'invitation.decline': (entry) => `declined to join as ${text(entry, 'role')}`,
};

/** @returns the predicate of a known action, otherwise the action as words: `key.re_tag` → `key: re tag` */
export function describeAction(entry: AuditRow): string {
  const describe = Object.hasOwn(SENTENCES, entry.action) ? SENTENCES[entry.action] : undefined;
  if (describe !== undefined) return describe(entry);
  return entry.action.replace('.', ': ').replaceAll('_', ' ');
}

export function describeActor({ actor }: AuditRow): string {
  switch (actor.kind) {
    case 'person':
      return actor.email;
    case 'operator':
      return 'An operator';
    case 'deleted_user':
      return 'A deleted user';
    case 'installation':
      return 'The system';
  }
}
