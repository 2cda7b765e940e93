import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

describe('operator.fallbacks', () => {
  let site: TestConsole;
  let operator: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    await site.deps.db.sql`INSERT INTO models (id) VALUES ('m'), ('one'), ('two')`;
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const client = () => operator.visitor.client.operator;

  it('adds, changes and removes the fallback models of a model, and records who did it', async () => {
    const put = client().fallbacks.put;
    await put.mutate({ modelId: 'm', fallbackId: 'one', classes: ['failure'] });
    await put.mutate({ modelId: 'm', fallbackId: 'two', classes: ['policy'] });
    const changed = await put.mutate({ modelId: 'm', fallbackId: 'one', classes: ['context', 'failure'] });
    expect(changed.fallbacks).toEqual([
      { modelId: 'one', classes: ['context', 'failure'] },
      { modelId: 'two', classes: ['policy'] },
    ]);
    const left = await client().fallbacks.remove.mutate({ modelId: 'm', fallbackId: 'one' });
    expect(left.fallbacks).toEqual([{ modelId: 'two', classes: ['policy'] }]);
    const audit = await site.deps.db.sql`
      SELECT actor_user_id IS NOT NULL AS known FROM audit_log WHERE subject = 'm' AND action = 'model.change'`;
    expect([...audit]).toEqual(Array.from({ length: 4 }, () => ({ known: true })));
  });

  it('rejects what cannot be a fallback model', async () => {
    const put = (modelId: string, fallbackId: string, classes: 'failure'[] = ['failure']) =>
      getRefusal(client().fallbacks.put.mutate({ modelId, fallbackId, classes }));
    expect(await put('m', 'm')).toMatchObject({ code: 'BAD_REQUEST', field: 'fallbackId' });
    expect(await put('m', 'missing')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await put('missing', 'm')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await put('m', 'one', [])).toMatchObject({ code: 'BAD_REQUEST' });
    const remove = client().fallbacks.remove.mutate({ modelId: 'm', fallbackId: 'one' });
    expect(await getRefusal(remove)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is restricted to operators', async () => {
    const owner = (await signUpVerified(site)).visitor.client.operator.fallbacks;
    const refusals = await Promise.all([
      getRefusal(owner.put.mutate({ modelId: 'm', fallbackId: 'one', classes: ['failure'] })),
      getRefusal(owner.remove.mutate({ modelId: 'm', fallbackId: 'two' })),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  });
});
