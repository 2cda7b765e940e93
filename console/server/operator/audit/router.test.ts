import { randomUUID } from 'node:crypto';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { addPlan, updatePlan } from '@tollgate/db/queries/plans/plans';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../../testing/console-fixture.ts';
import { plant, type Planted } from '../../testing/planted-people.ts';
import { getRefusal } from '../../testing/visitor.ts';

describe('the audit log of the installation', () => {
  let site: TestConsole;
  let operator: Planted;
  let customer: Planted;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await plant(site, { isOperator: true });
    customer = await plant(site);
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const list = async (
    filter: Parameters<Planted['visitor']['client']['operator']['audit']['list']['query']>[0],
  ) => (await operator.visitor.client.operator.audit.list.query(filter)).entries;

  it('is for operators only, as a page and as a file', async () => {
    const refusal = await getRefusal(customer.visitor.client.operator.audit.list.query({}));
    expect(refusal.code).toBe('FORBIDDEN');
    expect((await customer.visitor.get('/exports/installation-audit.csv')).status).toBe(403);
    expect((await site.visit().get('/exports/installation-audit.csv')).status).toBe(401);
  });

  it('has what operators and the command line did, with the values before and after', async () => {
    const { db } = site.deps;
    const { client } = operator.visitor;
    await client.operator.system.setSignUpPolicy.mutate({ policy: { signUp: 'closed', domains: [] } });
    await addPlan(db, { id: 'team', rpm: 60 });
    await updatePlan(db, 'team', { rpm: 90 });
    await client.operator.accounts.adjustBalance.mutate({
      accountId: customer.accountId,
      direction: 'give',
      amountUsd: '2.50',
      reason: 'sorry',
      requestId: randomUUID(),
    });
    // Neither of these is about the installation.
    await customer.visitor.client.team.rename.mutate({ accountId: customer.accountId, name: 'Acme' });
    await client.team.rename.mutate({ accountId: operator.accountId, name: 'Operators' });
    await client.settings.setName.mutate({ name: 'Olga' });
    const entries = await list({});
    expect(
      entries
        .slice(0, 4)
        .map(({ action, actorEmail, subject, accountName }) => [action, actorEmail, subject, accountName]),
    ).toEqual([
      ['account.credit', operator.email, customer.accountId, 'Acme'],
      ['plan.change', null, 'team', null],
      ['plan.add', null, 'team', null],
      ['installation.sign_up', operator.email, 'installation', null],
    ]);
    expect(entries[1]?.detail).toMatchObject({ rpm: 90, before: { rpm: 60 } });
    expect(entries[3]?.detail).toMatchObject({ signUp: 'closed', before: { signUp: expect.any(String) } });
    expect(entries.some(({ action }) => ['account.rename', 'user.renamed'].includes(action))).toBe(false);
  });

  it('shows no secret of a provider', async () => {
    const { providers } = operator.visitor.client.operator;
    const terms = {
      baseUrl: 'http://127.0.0.1:9/v1',
      settings: {},
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      idleTimeoutMs: null,
      totalTimeoutMs: null,
      maxConcurrency: null,
    };
    const { id } = await providers.add.mutate({
      name: 'acme',
      preset: null,
      dialect: 'openai-chat',
      terms,
      credential: 'sk-a-secret-of-the-operator',
      headers: [{ name: 'x-team', value: 'a-secret-header' }],
    });
    await providers.change.mutate({
      providerId: id,
      terms: { ...terms, idleTimeoutMs: 5_000 },
      credential: 'sk-another-secret',
    });
    const [changed, added] = await list({ subject: 'acme' });
    expect(changed).toMatchObject({
      action: 'provider.change',
      subjectName: 'acme',
      detail: { idleTimeoutMs: 5_000, credentialChanged: true, before: { idleTimeoutMs: null } },
    });
    expect(added?.action).toBe('provider.add');
    expect(JSON.stringify([changed, added])).not.toMatch(/secret/);
  });

  it('is filtered by actor, action, subject and time', async () => {
    const actions = async (filter: Parameters<typeof list>[0]) =>
      new Set((await list(filter)).map(({ action }) => action));
    expect(await actions({ action: 'plan' })).toEqual(new Set(['plan.add', 'plan.change']));
    expect(await actions({ action: 'plan.add' })).toEqual(new Set(['plan.add']));
    expect(await actions({ actor: 'cli', action: 'installation' })).toEqual(new Set());
    expect(await actions({ actor: operator.userId, action: 'plan' })).toEqual(new Set());
    expect(await actions({ subject: customer.accountId })).toContain('account.credit');
    expect(await actions({ until: '2020-01-01T00:00:00.000Z' })).toEqual(new Set());
    expect(await operator.visitor.client.operator.audit.operators.query()).toEqual([
      { id: operator.userId, email: operator.email },
    ]);
  });

  it('keeps actions of an operator who was deleted', async () => {
    await recordAudit(site.deps.db, { actorUserId: 'user_gone', action: 'plan.remove', subject: 'old' });
    expect((await list({ action: 'plan.remove' }))[0]).toMatchObject({
      actorUserId: 'user_gone',
      actorEmail: null,
    });
  });

  it('is paged without a gap, and is a file that no spreadsheet runs', async () => {
    const { db } = site.deps;
    // Three at a time share their moment: the page's edge falls between them.
    await db.sql`
      INSERT INTO audit_log (id, at, actor_user_id, account_id, action, subject)
      SELECT 'aud_' || lpad(n::text, 4, '0'), timestamptz '2026-01-01' + (n / 3) * interval '1 hour',
        CASE WHEN n % 2 = 0 THEN ${operator.userId} END, CASE WHEN n % 5 = 0 THEN ${customer.accountId} END,
        'job.retry', '=cmd' FROM generate_series(1, 130) n`;
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await operator.visitor.client.operator.audit.list.query({ action: 'job', cursor });
      ids.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(new Set(ids).size).toBe(130);
    expect(ids).toHaveLength(130);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const csv = await operator.visitor.get('/exports/installation-audit.csv?action=job');
    expect(csv.headers.get('content-disposition')).toMatch(/filename="installation-audit-.+\.csv"/);
    const [head, ...lines] = (await csv.text()).trimEnd().split('\r\n');
    expect(head).toBe(
      'id,at,actor_email,actor_user_id,action,subject,subject_name,account_id,account_name,before,detail',
    );
    expect(lines).toHaveLength(130);
    expect(lines[0]).toContain(",'=cmd,");
    expect((await operator.visitor.get('/exports/installation-audit.json?from=soon')).status).toBe(400);
  });
});
