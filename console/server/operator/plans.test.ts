import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const TERMS = {
  allowedModels: null,
  rpm: 600,
  tpm: null,
  priceMultiplier: '1.2',
  includedCreditUsd: '2.50',
  isPrepaid: true,
};

describe('operator.plans', () => {
  let site: TestConsole;
  let operator: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    await site.deps.db.sql`INSERT INTO models (id) VALUES ('gpt-test')`;
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const client = () => operator.visitor.client.operator.plans;
  const find = async (id: string) => (await client().list.query()).plans.find((plan) => plan.id === id);

  it('adds a plan, shows it as it was typed, changes it and removes it, each with an audit entry', async () => {
    await client().add.mutate({ id: 'team', terms: TERMS });
    expect(await find('team')).toMatchObject({ ...TERMS, accounts: 0, isDefault: false });
    const changed = { ...TERMS, allowedModels: ['gpt-test'], rpm: null };
    await client().change.mutate({ id: 'team', terms: changed });
    expect(await find('team')).toMatchObject(changed);
    await client().remove.mutate({ id: 'team' });
    expect(await find('team')).toBeUndefined();
    const { user } = await operator.visitor.client.session.get.query();
    const entries = await site.deps.db.sql<{ action: string; actor: string }[]>`
      SELECT action, actor_user_id AS actor FROM audit_log WHERE subject = 'team' ORDER BY id`;
    expect(entries).toEqual(
      ['plan.add', 'plan.change', 'plan.remove'].map((action) => ({ action, actor: user?.id })),
    );
  });

  it('reports invalid terms at their field', async () => {
    const add = (id: string, change: Partial<typeof TERMS>) =>
      getRefusal(client().add.mutate({ id, terms: { ...TERMS, ...change } }));
    expect(await add('free', {})).toMatchObject({ code: 'BAD_REQUEST', field: 'id' });
    const unknown = client().add.mutate({ id: 'odd', terms: { ...TERMS, allowedModels: ['gpt-none'] } });
    expect(await getRefusal(unknown)).toMatchObject({ field: 'terms.allowedModels' });
    expect((await add('odd', { priceMultiplier: '-1' })).zodIssues?.[0]?.path).toBe('terms.priceMultiplier');
    expect((await add('Odd Name', {})).zodIssues?.[0]?.path).toBe('id');
  });

  it('does not remove the default plan or a plan with accounts', async () => {
    await client().add.mutate({ id: 'busy', terms: TERMS });
    const { accountId, email } = await signUpVerified(site);
    await operator.visitor.client.operator.accounts.setPlan.mutate({ accountId, planId: 'busy' });
    expect((await getRefusal(client().remove.mutate({ id: 'busy' }))).message).toContain(email);
    expect((await getRefusal(client().remove.mutate({ id: 'free' }))).code).toBe('BAD_REQUEST');
    expect((await getRefusal(client().remove.mutate({ id: 'none' }))).code).toBe('NOT_FOUND');
  });
});
