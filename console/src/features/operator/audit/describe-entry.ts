import { formatBalance } from '../../../lib/format/money.ts';
import type { InstallationAuditRow } from '../operator-types.ts';

/** A field of what was done. */
export interface FieldChange {
  name: string;
  /** null: the former value was not recorded, or is the same. */
  before: string | null;
  after: string;
}

const ACTIONS: Record<string, string> = {
  'account.credit': 'Adjusted the balance',
  'account.deleted': 'Closed the account',
  'account.plan': 'Changed the plan',
  'account.resume': 'Resumed the account',
  'account.suspend': 'Suspended the account',
  'account.view': 'Started viewing the account',
  'account.view_end': 'Stopped viewing the account',
  'demo.seed': 'Added demo usage',
  'installation.taxes': 'Changed how taxes are charged',
  'installation.sign_up': 'Changed the sign-up policy',
  'job.retry': 'Retried a job',
  'ledger.check': 'Started a ledger check',
  'mail.retry': 'Retried an email',
  'model.add': 'Added a model',
  'model.change': 'Changed a model',
  'model.price': 'Set a price',
  'model.price_cancel': 'Canceled a price',
  'model.remove': 'Removed a model',
  'pattern.add': 'Added a route pattern',
  'pattern.remove': 'Removed a route pattern',
  'payment.refund': 'Refunded a payment',
  'payment.refund_refused': 'Had a refund refused by the payment provider',
  'payment_event.replay': 'Replayed a webhook event',
  'plan.add': 'Created a plan',
  'plan.change': 'Changed a plan',
  'plan.remove': 'Removed a plan',
  'provider.add': 'Added a provider',
  'provider.change': 'Changed a provider',
  'provider.credential_add': 'Added a credential',
  'provider.credential_remove': 'Removed a credential',
  'provider.credential_restore': 'Restored a credential',
  'provider.credential_set_aside': 'Set a credential aside',
  'provider.credential_weight': 'Changed the weight of a credential',
  'provider.members': 'Changed the request fields of a provider',
  'provider.own_credentials': 'Changed the use of own credentials',
  'provider.remove': 'Removed a provider',
  'request.view': 'Viewed a request',
  'route.add': 'Added a route',
  'route.arrange': 'Arranged the routes',
  'route.change': 'Changed a route',
  'route.remove': 'Removed a route',
  'route.served_names': 'Changed the served names of a route',
  'search.run': 'Searched all accounts',
  'user.became_operator': 'Made a user an operator',
  'user.sign_in_reset': 'Reset the sign-in of a user',
};

/** @returns a phrase of a known action, otherwise the action as words: `key.re_tag` → `Key: re tag` */
export function describeInstallationAction(action: string): string {
  const words = action.replace('.', ': ').replaceAll('_', ' ');
  const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  return known ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What the entry is about: a name if it has one, otherwise its id. */
export function describeSubject(entry: InstallationAuditRow): string {
  const { detail, subject, subjectName, accountName, accountId } = entry;
  const noted = detail['name'] ?? detail['email'];
  if (subject !== null && subject === accountId) return accountName ?? subject;
  return subjectName ?? (typeof noted === 'string' ? noted : (subject ?? ''));
}

/** The recorded values. If the entry has former values, only fields that changed. */
export function listFieldChanges({ detail }: InstallationAuditRow): FieldChange[] {
  const { before, ...rest } = detail;
  // Changes of one value are recorded as `from` and `to`.
  const { from, to, ...others } = rest;
  const isMove = from !== undefined && to !== undefined;
  const after = isMove ? { ...others, value: to } : rest;
  const former = isMove ? { value: from } : isObject(before) ? before : {};
  const hasFormer = Object.keys(former).length > 0;
  return Object.entries(after)
    .filter(([name, value]) => value !== null || Object.hasOwn(former, name))
    .filter(([name]) => !hasFormer || Object.hasOwn(former, name) || name === 'reason')
    .map(([name, value]) => ({
      name: nameField(name),
      before: Object.hasOwn(former, name) ? writeValue(former[name], name) : null,
      after: writeValue(value, name),
    }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `firstByteTimeoutMs` → `first byte timeout ms`. */
function nameField(name: string): string {
  return name
    .replace(/NanoUsd$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('_', ' ');
}

function writeValue(value: unknown, name: string): string {
  if (name.endsWith('NanoUsd') && typeof value === 'string' && /^-?\d+$/.test(value))
    return formatBalance(value);
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((part) => typeof part === 'string'))
    return value.length === 0 ? 'none' : value.join(', ');
  return JSON.stringify(value);
}
