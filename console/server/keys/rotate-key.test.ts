import { isWellFormedApiKey } from '@tollgate/auth/api-key';
import type { KeyScope } from '@tollgate/core/keys/key-scope';
import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpUnverified, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const HOUR_MS = 3_600_000;

describe('keys that are replaced or ended', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const ownerWithKey = async (scope: Partial<KeyScope> = {}) => {
    const owner = await signUpVerified(site);
    const { key } = await createKeyFixture(site.deps.db, owner.accountId, { name: 'ci', ...scope });
    const theirs = { accountId: owner.accountId, keyId: key.id };
    return { ...owner, theirs, keys: owner.visitor.client.keys };
  };
  const inHours = (hours: number) => new Date(site.deps.clock.nowMs() + hours * HOUR_MS).toISOString();

  it('rotates a key: the new key is shown once, and each key names the other one', async () => {
    const { theirs, keys, email } = await ownerWithKey({ maxBudgetUsd: '10', rpm: 7 });
    const endsAt = inHours(24);
    const { secret, key } = await keys.rotate.mutate({ ...theirs, rotation: { endsAt, keepUsd: '2.5' } });
    expect(isWellFormedApiKey(secret)).toBe(true);
    expect(key).toMatchObject({
      name: 'ci',
      rpm: 7,
      maxBudgetNanoUsd: '10000000000',
      shareNanoUsd: '7500000000',
      spentNanoUsd: '0',
      replacesKeyId: theirs.keyId,
      createdBy: email,
    });
    const old = await keys.get.query(theirs);
    expect(old).toMatchObject({
      shareNanoUsd: '2500000000',
      spentNanoUsd: '0',
      expiresAt: endsAt,
      replacedBy: key.id,
      revokedAt: null,
    });
    expect(JSON.stringify(old)).not.toContain(secret);
  });

  it('revokes the old key if there is no overlap', async () => {
    const { theirs, keys } = await ownerWithKey();
    await keys.rotate.mutate({ ...theirs, rotation: { endsAt: null, keepUsd: '0' } });
    expect((await keys.get.query(theirs)).revokedAt).not.toBeNull();
    const { counts } = await keys.list.query({ accountId: theirs.accountId, state: 'active' });
    expect(counts).toEqual({ active: 1, expiring: 0, ended: 1 });
  });

  it('reports errors at their field', async () => {
    const { theirs, keys } = await ownerWithKey({ maxBudgetUsd: '10' });
    const attempt = (rotation: { endsAt: string | null; keepUsd: string }) =>
      getRefusal(keys.rotate.mutate({ ...theirs, rotation }));
    expect(await attempt({ endsAt: inHours(31 * 24), keepUsd: '1' })).toMatchObject({
      field: 'rotation.endsAt',
    });
    expect(await attempt({ endsAt: inHours(-1), keepUsd: '1' })).toMatchObject({ field: 'rotation.endsAt' });
    expect(await attempt({ endsAt: inHours(1), keepUsd: '10' })).toMatchObject({
      field: 'rotation.keepUsd',
      message: 'Enter less than $10.00 for the old key.',
    });
    expect((await attempt({ endsAt: inHours(1), keepUsd: 'all' })).zodIssues?.[0]?.path).toBe(
      'rotation.keepUsd',
    );
    expect((await attempt({ endsAt: 'soon', keepUsd: '1' })).zodIssues?.[0]?.path).toBe('rotation.endsAt');
    await keys.rotate.mutate({ ...theirs, rotation: { endsAt: inHours(1), keepUsd: '1' } });
    expect((await attempt({ endsAt: inHours(1), keepUsd: '1' })).message).toContain('already rotated');
  });

  it('requires a verified email, like creating a key', async () => {
    const person = await signUpUnverified(site);
    const { key } = await createKeyFixture(site.deps.db, person.accountId);
    const input = { accountId: person.accountId, keyId: key.id, rotation: { endsAt: null, keepUsd: '0' } };
    const refusal = await getRefusal(person.visitor.client.keys.rotate.mutate(input));
    expect(refusal.reason).toBe('email_not_verified');
  });

  it('revokes many keys in one call, those of this account that are alive, and writes each down', async () => {
    const { theirs, keys, accountId } = await ownerWithKey();
    const member = await joinAs(site, 'member', accountId);
    const stranger = await ownerWithKey();
    const second = await createKeyFixture(site.deps.db, accountId);
    const third = await createKeyFixture(site.deps.db, accountId);
    await keys.revoke.mutate({ accountId, keyId: third.key.id });
    const keyIds = [theirs.keyId, second.key.id, third.key.id, stranger.theirs.keyId, 'key_none'];
    const { revoked } = await member.visitor.client.keys.revokeMany.mutate({ accountId, keyIds });
    expect(revoked).toBe(2);
    expect((await stranger.keys.get.query(stranger.theirs)).revokedAt).toBeNull();
    const entries = await site.deps.db.sql`
      SELECT subject FROM audit_log WHERE account_id = ${accountId} AND action = 'key.revoke'`;
    expect(entries.map(({ subject }) => String(subject)).toSorted()).toEqual(
      [theirs.keyId, second.key.id, third.key.id].toSorted(),
    );
  });
});
