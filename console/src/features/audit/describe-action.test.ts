import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../lib/trpc.ts';
import { describeAction, describeActor } from './describe-action.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

const entry = (
  action: string,
  detail: Record<string, unknown> = {},
  rest: Partial<AuditRow> = {},
): AuditRow => ({
  id: 'aud_1',
  at: '2026-01-01T00:00:00.000Z',
  actor: { kind: 'installation' },
  action,
  subject: null,
  keyName: null,
  detail,
  ...rest,
});

describe('an entry of the audit log', () => {
  it.each([
    [entry('key.create', {}, { keyName: 'ci' }), 'created the key ci'],
    [entry('billing.top_up', { amountCents: 2050 }), 'started a top-up of $20.50'],
    [
      entry('billing.auto_top_up', { enabled: true, thresholdNanoUsd: '5000000000', amountCents: 2000 }),
      'set automatic top-ups of $20.00 below $5.00',
    ],
    [entry('billing.auto_top_up', { enabled: false }), 'turned off automatic top-ups'],
    [
      entry('billing.auto_top_up', { enabled: false, isAfterRefund: true }),
      'turned off automatic top-ups with a refund',
    ],
    [
      entry('account.credit', { amountNanoUsd: '132000', reason: 'sorry' }),
      'changed the balance by $0.000132: sorry',
    ],
    [
      entry('member.role', { email: 'a@b.example', from: 'member', to: 'admin' }),
      'changed the role of a@b.example from member to admin',
    ],
    [entry('request.view', {}, { subject: 'req_1' }), 'viewed req_1'],
    [entry('request.read_bodies', {}, { subject: 'req_1' }), 'viewed the logged content of req_1'],
    // A detail of the wrong type must not break the sentence.
    [entry('billing.top_up', { amountCents: { not: 'a number' } }), 'started a top-up of an amount'],
    [entry('key.tag', { tags: ['a', 'b'] }, { keyName: 'ci' }), 'set the tags a, b on the key ci'],
    [entry('toString.call'), 'toString: call'],
    [entry('key.some_thing'), 'key: some thing'],
  ])('forms a sentence: %#', (row, sentence) => {
    expect(describeAction(row)).toBe(sentence);
  });

  it('describes the actor', () => {
    const by = (actor: AuditRow['actor']) => describeActor(entry('key.create', {}, { actor }));
    expect(by({ kind: 'person', userId: 'user_1', email: 'a@b.example' })).toBe('a@b.example');
    expect(by({ kind: 'operator' })).toBe('An operator');
    expect(by({ kind: 'deleted_user', userId: 'user_1' })).toBe('A deleted user');
    expect(by({ kind: 'installation' })).toBe('The system');
  });

  it('has a sentence for every action', () => {
    const sources = globSync(['db/src/queries/**/*.ts', 'console/server/**/*.ts'], { cwd: ROOT }).filter(
      (file) => !file.endsWith('.test.ts') && !file.includes('/testing/'),
    );
    const actions = sources.flatMap((file) =>
      [
        ...readFileSync(path.join(ROOT, file), 'utf8').matchAll(
          /(?:action|keep|stop):[^,;]*?'((?:key|request|view|billing|account|member|invitation)\.[a-z_]+)'/g,
        ),
      ].map(([, action = '']) => action),
    );
    expect(actions.length).toBeGreaterThan(10);
    const wordless = [...new Set(actions)].filter(
      (action) => describeAction(entry(action)) === action.replace('.', ': ').replaceAll('_', ' '),
    );
    expect(wordless).toEqual([]);
  });
});
