import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const PATTERN = {
  providerName: 'anthropic',
  pattern: 'anthropic/*',
  strip: 'anthropic/',
  priority: 2,
  weight: 1,
};

describe('operator.patterns', () => {
  let site: TestConsole;
  let operator: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    await site.deps.db.sql`INSERT INTO providers (id, name, dialect, base_url, preset) VALUES
      ('prov_1', 'anthropic', 'anthropic-messages', 'https://one.example/v1', 'anthropic'),
      ('prov_2', 'custom', 'openai-chat', 'https://two.example/v1', NULL)`;
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const client = () => operator.visitor.client.operator;

  it('adds the models of the catalogue, lists the pattern, and removes both', async () => {
    const { pattern, added } = await client().patterns.add.mutate(PATTERN);
    expect(pattern).toMatchObject({ ...PATTERN, modelCount: added });
    expect(await client().patterns.list.query()).toEqual({ patterns: [pattern] });
    const { models } = await client().models.list.query();
    expect(models.filter(({ id }) => id.startsWith('anthropic/claude-'))).toHaveLength(added);
    expect(added).toBeGreaterThan(3);
    expect(await client().patterns.remove.mutate({ patternId: pattern.id })).toEqual({ removed: added });
    expect(await client().patterns.list.query()).toEqual({ patterns: [] });
    const audit = await site.deps.db.sql`
      SELECT action, actor_user_id IS NOT NULL AS known FROM audit_log WHERE subject = ${pattern.id} ORDER BY id`;
    expect([...audit]).toEqual([
      { action: 'pattern.add', known: true },
      { action: 'pattern.remove', known: true },
    ]);
  });

  it('says what is wrong with a pattern', async () => {
    const add = (change: Partial<typeof PATTERN>) =>
      getRefusal(client().patterns.add.mutate({ ...PATTERN, ...change }));
    expect(await add({ providerName: 'none' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await add({ providerName: 'custom' })).toMatchObject({ field: 'providerName' });
    expect(await add({ pattern: 'claude-haiku' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await add({ strip: 'other/' })).toMatchObject({ code: 'BAD_REQUEST' });
    await client().patterns.add.mutate(PATTERN);
    expect(await add({})).toMatchObject({ field: 'pattern' });
    const missing = client().patterns.remove.mutate({ patternId: 'pattern_none' });
    expect(await getRefusal(missing)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is restricted to operators', async () => {
    const owner = (await signUpVerified(site)).visitor.client.operator.patterns;
    const refusals = await Promise.all([
      getRefusal(owner.list.query()),
      getRefusal(owner.add.mutate(PATTERN)),
      getRefusal(owner.remove.mutate({ patternId: 'pattern_none' })),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });
});
