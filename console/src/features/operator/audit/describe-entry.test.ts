import { describeSubject, listFieldChanges } from '@tollgate/core/audit/describe-entry';
import { describeInstallationAction } from '@tollgate/core/audit/describe-installation-action';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { InstallationAuditRow } from '../operator-types.ts';
import { INSTALLATION_AUDIT_KINDS } from '../search.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../../..');

const entry = (rest: Partial<InstallationAuditRow>): InstallationAuditRow => ({
  id: 'aud_1',
  at: '2026-01-01T00:00:00.000Z',
  actorUserId: null,
  actorEmail: null,
  accountId: null,
  accountName: null,
  action: 'plan.change',
  subject: 'team',
  subjectName: null,
  detail: {},
  ...rest,
});

it('lists the fields that changed, with both values', () => {
  const detail = { rpm: 90, tpm: null, allowedModels: ['a', 'b'], before: { rpm: null, allowedModels: [] } };
  expect(listFieldChanges(entry({ detail }))).toEqual([
    { name: 'rpm', before: 'none', after: '90' },
    { name: 'allowed models', before: 'none', after: 'a, b' },
  ]);
});

it('lists all values of what has no former ones', () => {
  const detail = { dialect: 'openai-chat', firstByteTimeoutMs: null, http2: false };
  expect(listFieldChanges(entry({ action: 'provider.add', detail }))).toEqual([
    { name: 'dialect', before: null, after: 'openai-chat' },
    { name: 'http2', before: null, after: 'no' },
  ]);
});

it('writes amounts in dollars, and moves with both values', () => {
  const credit = { amountNanoUsd: '5000000000', reason: 'trial' };
  expect(listFieldChanges(entry({ action: 'account.credit', detail: credit }))).toEqual([
    { name: 'amount', before: null, after: '$5.00' },
    { name: 'reason', before: null, after: 'trial' },
  ]);
  expect(listFieldChanges(entry({ detail: { from: 'free', to: 'standard' } }))).toEqual([
    { name: 'value', before: 'free', after: 'standard' },
  ]);
});

it('writes parts per million as percent', () => {
  const detail = { country: 'DE', ratePpm: 190_000 };
  expect(listFieldChanges(entry({ action: 'tax_rate.add', detail }))).toEqual([
    { name: 'country', before: null, after: 'DE' },
    { name: 'rate', before: null, after: '19%' },
  ]);
});

it('says which credential changed', () => {
  const detail = { label: 'backup', weight: 3, before: { weight: 1 } };
  expect(listFieldChanges(entry({ action: 'provider.credential_weight', detail }))).toEqual([
    { name: 'label', before: null, after: 'backup' },
    { name: 'weight', before: '1', after: '3' },
  ]);
});

it('names what the entry is about', () => {
  expect(describeSubject(entry({}))).toBe('team');
  expect(describeSubject(entry({ subject: 'prov_1', subjectName: 'acme' }))).toBe('acme');
  expect(describeSubject(entry({ subject: 'prov_1', detail: { name: 'removed' } }))).toBe('removed');
  expect(describeSubject(entry({ subject: 'acct_1', accountId: 'acct_1', accountName: 'Acme' }))).toBe(
    'Acme',
  );
});

it('has a phrase and a filter for every action of operators', () => {
  const sources = globSync(['db/src/queries/**/*.ts', 'console/server/{operator,payments,bodies}/**/*.ts'], {
    cwd: ROOT,
  });
  const actions = sources
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(path.join(ROOT, file), 'utf8').matchAll(
        /(?:action|keep|stop)(?::| =)[^,;]*?'([a-z_]+\.[a-z_]+)'/g,
      ),
    ])
    .map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(20);
  // Only members of an account manage its people and share views.
  const kinds = new Set<string>([...INSTALLATION_AUDIT_KINDS, 'invitation', 'member', 'view']);
  expect(actions.filter((action) => describeInstallationAction(action).includes(':'))).toEqual([]);
  expect(actions.filter((action) => !kinds.has(action.split('.')[0] ?? ''))).toEqual([]);
});
