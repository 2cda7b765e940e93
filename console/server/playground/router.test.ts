import { isWellFormedApiKey } from '@tollgate/auth/api-key';
import { describe, expect, it } from 'vitest';
import { createTestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpUnverified, signUpVerified } from '../testing/people.ts';

describe('playground.start', () => {
  it('creates a key for one hour and one dollar that is listed, audited and revocable', async () => {
    await using site = await createTestConsole();
    const { visitor, accountId } = await signUpVerified(site);
    const before = site.deps.clock.nowMs();
    const made = await visitor.client.playground.start.mutate({ accountId });
    expect(isWellFormedApiKey(made.secret)).toBe(true);
    const lifetimeMs = Date.parse(made.expiresAt) - before;
    expect(lifetimeMs).toBeGreaterThanOrEqual(3_600_000);
    expect(lifetimeMs).toBeLessThan(3_660_000);
    const { keys } = await visitor.client.keys.list.query({ accountId, state: 'active' });
    expect(keys).toMatchObject([
      {
        id: made.keyId,
        name: 'Playground',
        maxBudgetNanoUsd: '1000000000',
        rpm: 60,
        expiresAt: made.expiresAt,
      },
    ]);
    const audited = await site.deps.db
      .sql`SELECT action, account_id FROM audit_log WHERE subject = ${made.keyId}`;
    expect([...audited]).toMatchObject([{ action: 'key.create', account_id: accountId }]);
    await visitor.client.keys.revoke.mutate({ accountId, keyId: made.keyId });
    expect((await visitor.client.keys.get.query({ accountId, keyId: made.keyId })).revokedAt).not.toBeNull();
  });

  it('is refused to viewers, to strangers and to an unverified email', async () => {
    await using site = await createTestConsole();
    const { accountId } = await signUpVerified(site);
    const viewer = await joinAs(site, 'viewer', accountId);
    await expect(viewer.visitor.client.playground.start.mutate({ accountId })).rejects.toMatchObject({
      data: { code: 'FORBIDDEN', reason: 'role' },
    });
    const stranger = await signUpVerified(site);
    await expect(stranger.visitor.client.playground.start.mutate({ accountId })).rejects.toMatchObject({
      data: { code: 'NOT_FOUND' },
    });
    const unverified = await signUpUnverified(site);
    await expect(
      unverified.visitor.client.playground.start.mutate({ accountId: unverified.accountId }),
    ).rejects.toMatchObject({ data: { code: 'FORBIDDEN', reason: 'email_not_verified' } });
    const [counted] = await site.deps.db.sql`SELECT count(*)::int AS keys FROM api_keys`;
    expect(counted).toEqual({ keys: 0 });
  });
});
