import { addMember } from '@tollgate/db/queries/team/members';
import { createKeyFixture, OPEN_SCOPE } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpUnverified, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const SCOPE = { ...OPEN_SCOPE, name: 'ci' };
const DAY_MS = 86_400_000;
const AT_ONCE = { endsAt: null, keepUsd: '0' };

describe('keys.create', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
    await site.deps.db.sql`INSERT INTO models (id) VALUES ('gpt-test'), ('claude-test')`;
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('shows the key once and stores its scope', async () => {
    const { visitor, accountId, email } = await signUpVerified(site);
    const expiresAt = new Date(Date.now() + 30 * DAY_MS).toISOString();
    const scope = {
      name: ' nightly ',
      allowedModels: ['gpt-test', 'claude-test'],
      maxBudgetUsd: '12.5',
      rpm: 60,
      tpm: 100_000,
      expiresAt,
    };
    const { secret, key } = await visitor.client.keys.create.mutate({ accountId, scope, tags: ['prod'] });
    expect(secret).toMatch(/^sk-[0-9A-Za-z]{48}$/);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'nightly',
      prefix: secret.slice(0, 7),
      last4: secret.slice(-4),
      allowedModels: ['gpt-test', 'claude-test'],
      maxBudgetNanoUsd: '12500000000',
      shareNanoUsd: '12500000000',
      spentNanoUsd: '0',
      heldNanoUsd: '0',
      rpm: 60,
      tpm: 100_000,
      expiresAt,
      createdAt: expect.any(String),
      revokedAt: null,
      lastUsedAt: null,
      tags: ['prod'],
      replacesKeyId: null,
      replacedBy: null,
      createdBy: email,
      last7Days: { requests: 0, costNanoUsd: '0' },
    });
    const read = await visitor.client.keys.get.query({ accountId, keyId: key.id });
    expect(read).toEqual(key);
    expect(JSON.stringify(read)).not.toContain(secret);
  });

  it.each([
    [{ name: '  ' }, 'scope.name'],
    [{ name: 'x'.repeat(81) }, 'scope.name'],
    [{ maxBudgetUsd: '0' }, 'scope.maxBudgetUsd'],
    [{ maxBudgetUsd: '1000000.000000001' }, 'scope.maxBudgetUsd'],
    [{ maxBudgetUsd: '0.0000000001' }, 'scope.maxBudgetUsd'],
    [{ rpm: 0 }, 'scope.rpm'],
    [{ rpm: 1_000_001 }, 'scope.rpm'],
    [{ rpm: 1.5 }, 'scope.rpm'],
    [{ tpm: 0 }, 'scope.tpm'],
    [{ tpm: 1_000_000_001 }, 'scope.tpm'],
    [{ allowedModels: [] }, 'scope.allowedModels'],
    [{ allowedModels: ['gpt-test', 'gpt-test'] }, 'scope.allowedModels'],
    [{ allowedModels: Array.from({ length: 201 }, (_, i) => `model-${i}`) }, 'scope.allowedModels'],
    [{ expiresAt: 'tomorrow' }, 'scope.expiresAt'],
  ])('refuses %o at its field', async (change, path) => {
    const { visitor, accountId } = await signUpVerified(site);
    const attempt = visitor.client.keys.create.mutate({ accountId, scope: { ...SCOPE, ...change } });
    const refusal = await getRefusal(attempt);
    expect(refusal.code).toBe('BAD_REQUEST');
    expect(refusal.zodIssues?.map((issue) => issue.path)).toContain(path);
  });

  it('accepts the bounds themselves', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const widest = { ...SCOPE, maxBudgetUsd: '1000000', rpm: 1_000_000, tpm: 1_000_000_000 };
    const narrowest = { ...SCOPE, maxBudgetUsd: '0.000000001', rpm: 1, tpm: 1 };
    const wide = await visitor.client.keys.create.mutate({ accountId, scope: widest });
    const narrow = await visitor.client.keys.create.mutate({ accountId, scope: narrowest });
    expect([wide.key.maxBudgetNanoUsd, narrow.key.maxBudgetNanoUsd]).toEqual(['1000000000000000', '1']);
  });

  it('refuses models that do not exist and an expiry in the past', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const unknown = { ...SCOPE, allowedModels: ['gpt-test', 'gpt-none'] };
    expect(await getRefusal(visitor.client.keys.create.mutate({ accountId, scope: unknown }))).toMatchObject({
      code: 'BAD_REQUEST',
      field: 'scope.allowedModels',
      message: 'Unknown model: gpt-none.',
    });
    const past = { ...SCOPE, expiresAt: new Date(Date.now() - 1000).toISOString() };
    expect(await getRefusal(visitor.client.keys.create.mutate({ accountId, scope: past }))).toMatchObject({
      code: 'BAD_REQUEST',
      field: 'scope.expiresAt',
    });
  });

  it('requires a verified email', async () => {
    const { visitor, accountId } = await signUpUnverified(site);
    const refusal = await getRefusal(visitor.client.keys.create.mutate({ accountId, scope: SCOPE }));
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'email_not_verified' });
    const list = await visitor.client.keys.list.query({ accountId, state: 'active' });
    expect(list.keys).toEqual([]);
  });

  it('is refused to viewers, who can only read', async () => {
    const owner = await signUpVerified(site);
    const { key } = await owner.visitor.client.keys.create.mutate({
      accountId: owner.accountId,
      scope: SCOPE,
    });
    const { visitor, accountId } = await joinAs(site, 'viewer', owner.accountId);
    const create = await getRefusal(visitor.client.keys.create.mutate({ accountId, scope: SCOPE }));
    const { keys } = visitor.client;
    const others = await Promise.all([
      getRefusal(keys.revoke.mutate({ accountId, keyId: key.id })),
      getRefusal(keys.revokeMany.mutate({ accountId, keyIds: [key.id] })),
      getRefusal(keys.rotate.mutate({ accountId, keyId: key.id, rotation: AT_ONCE })),
      getRefusal(keys.setTags.mutate({ accountId, keyId: key.id, tags: ['x'] })),
    ]);
    for (const { code, reason } of [create, ...others]) expect([code, reason]).toEqual(['FORBIDDEN', 'role']);
    expect((await visitor.client.keys.get.query({ accountId, keyId: key.id })).revokedAt).toBeNull();
  });

  it('is for members, whose role counts from the next request on', async () => {
    const owner = await signUpVerified(site);
    const { visitor, accountId } = await joinAs(site, 'member', owner.accountId);
    await visitor.client.keys.create.mutate({ accountId, scope: SCOPE });
    const { user } = await visitor.client.session.get.query();
    await addMember(site.deps.db, { userId: user?.id ?? '', accountId, role: 'viewer' });
    const refusal = await getRefusal(visitor.client.keys.create.mutate({ accountId, scope: SCOPE }));
    expect(refusal.reason).toBe('role');
  });
});

describe('keys of another account', () => {
  it('are not found, and neither is the account', async () => {
    await using site = await createTestConsole();
    const owner = await signUpVerified(site);
    const stranger = await signUpVerified(site);
    const { key } = await owner.visitor.client.keys.create.mutate({
      accountId: owner.accountId,
      scope: SCOPE,
    });
    const theirs = { accountId: owner.accountId, keyId: key.id };
    const crossed = { accountId: stranger.accountId, keyId: key.id };
    const { keys, models } = stranger.visitor.client;
    const refusals = await Promise.all([
      getRefusal(keys.list.query({ accountId: owner.accountId, state: 'active' })),
      getRefusal(keys.get.query(theirs)),
      getRefusal(keys.get.query(crossed)),
      getRefusal(keys.revoke.mutate(theirs)),
      getRefusal(keys.revoke.mutate(crossed)),
      getRefusal(keys.setTags.mutate({ ...theirs, tags: ['mine'] })),
      getRefusal(keys.setTags.mutate({ ...crossed, tags: ['mine'] })),
      getRefusal(keys.rotate.mutate({ ...theirs, rotation: AT_ONCE })),
      getRefusal(keys.rotate.mutate({ ...crossed, rotation: AT_ONCE })),
      getRefusal(keys.revokeMany.mutate({ accountId: owner.accountId, keyIds: [key.id] })),
      getRefusal(keys.tags.query({ accountId: owner.accountId })),
      getRefusal(keys.create.mutate({ accountId: owner.accountId, scope: SCOPE })),
      getRefusal(keys.create.mutate({ accountId: 'acct_none', scope: SCOPE })),
      getRefusal(models.list.query({ accountId: owner.accountId })),
    ]);
    expect(new Set(refusals.map((refusal) => refusal.code))).toEqual(new Set(['NOT_FOUND']));
    const none = await keys.revokeMany.mutate({ accountId: stranger.accountId, keyIds: [key.id] });
    expect(none).toEqual({ revoked: 0 });
    expect((await owner.visitor.client.keys.get.query(theirs)).tags).toEqual([]);
    expect((await owner.visitor.client.keys.get.query(theirs)).revokedAt).toBeNull();
  });
});

describe('keys.revoke', () => {
  it('revokes a key permanently, and gives the same response if repeated', async () => {
    await using site = await createTestConsole();
    const { visitor, accountId } = await signUpVerified(site);
    const { key } = await visitor.client.keys.create.mutate({ accountId, scope: SCOPE });
    const revoked = await visitor.client.keys.revoke.mutate({ accountId, keyId: key.id });
    expect(revoked.revokedAt).not.toBeNull();
    expect(await visitor.client.keys.revoke.mutate({ accountId, keyId: key.id })).toEqual(revoked);
    const refusal = await getRefusal(visitor.client.keys.revoke.mutate({ accountId, keyId: 'key_none' }));
    expect(refusal.code).toBe('NOT_FOUND');
  });

  it('and nothing else changes a key: SQL cannot change its scope', async () => {
    await using site = await createTestConsole();
    const { accountId } = await signUpVerified(site);
    const { key } = await createKeyFixture(site.deps.db, accountId, { rpm: 5 });
    const { sql } = site.deps.db;
    await expect(sql`UPDATE api_keys SET rpm = 500 WHERE id = ${key.id}`).rejects.toThrow(
      /cannot be changed/,
    );
    await expect(sql`UPDATE api_keys SET max_budget_nano_usd = NULL, rpm = NULL`).rejects.toThrow(
      /cannot be changed/,
    );
    await expect(sql`UPDATE api_keys SET expires_at = now() + interval '1 day'`).rejects.toThrow(
      /cannot be changed/,
    );
    await expect(sql`UPDATE api_keys SET allowed_models = ARRAY['x']`).rejects.toThrow(/cannot be changed/);
  });
});

describe('keys.list', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('sorts keys into active, expiring and ended', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const { db } = site.deps;
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    await createKeyFixture(db, accountId, { name: 'forever' });
    await createKeyFixture(db, accountId, { name: 'next month', expiresAt: inDays(30) });
    await createKeyFixture(db, accountId, { name: 'this week', expiresAt: inDays(6) });
    await createKeyFixture(db, accountId, {
      name: 'over',
      expiresAt: new Date(Date.now() + 50).toISOString(),
    });
    const { key } = await createKeyFixture(db, accountId, { name: 'revoked', expiresAt: inDays(3) });
    await visitor.client.keys.revoke.mutate({ accountId, keyId: key.id });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const namesIn = async (state: 'active' | 'expiring' | 'ended') => {
      const page = await visitor.client.keys.list.query({ accountId, state });
      expect(page.counts).toEqual({ active: 3, expiring: 1, ended: 2 });
      return page.keys.map((row) => row.name);
    };
    expect(await namesIn('active')).toEqual(['this week', 'next month', 'forever']);
    expect(await namesIn('expiring')).toEqual(['this week']);
    expect(await namesIn('ended')).toEqual(['revoked', 'over']);
  });

  it('searches name, prefix and last four characters, with % and _ as literals', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const { key } = await createKeyFixture(site.deps.db, accountId, { name: 'Nightly 100%_run' });
    await createKeyFixture(site.deps.db, accountId, { name: 'other' });
    const find = async (search: string) =>
      (await visitor.client.keys.list.query({ accountId, state: 'active', search })).keys.map(
        (row) => row.name,
      );
    expect(await find('nightly')).toEqual(['Nightly 100%_run']);
    expect(await find('%_r')).toEqual(['Nightly 100%_run']);
    expect(await find(key.prefix)).toContain('Nightly 100%_run');
    expect(await find(key.last4)).toContain('Nightly 100%_run');
    expect(await find('%%')).toEqual([]);
    expect(await find('  ')).toHaveLength(2);
  });

  it('pages through all keys without gaps, also those made in the same instant', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    await Promise.all(
      Array.from({ length: 25 }, (_, i) => createKeyFixture(site.deps.db, accountId, { name: `k${i}` })),
    );
    const seen: string[] = [];
    let cursor: { value: string; id: string } | null = null;
    do {
      const page = await visitor.client.keys.list.query({ accountId, state: 'active', limit: 10, cursor });
      seen.push(...page.keys.map((row) => row.name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });

  it('adds up the last seven days of use', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const { key } = await createKeyFixture(site.deps.db, accountId);
    const { sql } = site.deps.db;
    const add = (daysAgo: number, requests: number, cost: number) => sql`
      INSERT INTO usage_hourly (hour, account_id, key_id, model, requests, cost_nano_usd)
      VALUES (date_trunc('hour', now()) - make_interval(days => ${daysAgo}), ${accountId}, ${key.id}, 'm', ${requests}, ${cost})`;
    await add(0, 3, 1000);
    await add(6, 4, 500);
    await add(8, 100, 9999);
    const { keys } = await visitor.client.keys.list.query({ accountId, state: 'active' });
    expect(keys[0]?.last7Days).toEqual({ requests: 7, costNanoUsd: '1500' });
  });
});
