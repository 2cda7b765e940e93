import { hashApiKey, isWellFormedApiKey } from '@tollgate/auth/api-key';
import type { KeyScopeField } from '@tollgate/core/keys/key-scope';
import { createAccountFixture } from '@tollgate/testing/factories';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

const createdSchema = z.object({ id: z.string(), key: z.string() });

/** What is typed for each field of the scope, and what the JSON shows. */
const SCOPE: Record<Exclude<KeyScopeField, 'name'>, { options: string; member: string; value: unknown }> = {
  allowedModels: { options: '--models m-1', member: 'models', value: ['m-1'] },
  maxBudgetUsd: { options: '--max-budget 0.25', member: 'maxBudgetUsd', value: '0.25' },
  rpm: { options: '--rpm 60', member: 'rpm', value: 60 },
  tpm: { options: '--tpm 1000', member: 'tpm', value: 1_000 },
  expiresAt: { options: '--expires 2099-01-01', member: 'expiresAt', value: '2099-01-01T00:00:00.000Z' },
};

describe('tollgate key', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    await createAccountFixture(database.db, { email: 'you@example.com' });
    await createAccountFixture(database.db, { email: 'new@example.com', verified: false });
    await tollgate.json('model add --id m-1 --input-price 1 --output-price 2');
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const create = (...options: string[]) =>
    tollgate('key create --account you@example.com --name k', ...options);

  it('creates a key with all scope options and shows it', async () => {
    const typed = Object.values(SCOPE).flatMap(({ options }) => options.split(' '));
    const { code, stdout } = await create(...typed, '--json');
    expect(code).toBe(0);
    const created: unknown = JSON.parse(stdout);
    const { key, id } = createdSchema.parse(created);
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(created).toMatchObject({
      account: 'you@example.com',
      prefix: key.slice(0, 7),
      last4: key.slice(-4),
      state: 'active',
      spentUsd: '0.00',
      ...Object.fromEntries(Object.values(SCOPE).map(({ member, value }) => [member, value])),
    });
    const [row] = await database.db.sql`SELECT hash FROM api_keys WHERE id = ${id}`;
    expect(row?.['hash']).toEqual(hashApiKey(key));
  });

  it('takes the expiry as a duration', async () => {
    const { stdout } = await create('--expires', '30d', '--json');
    const { expiresAt } = z.object({ expiresAt: z.string() }).parse(JSON.parse(stdout));
    expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(30, 1);
  });

  it('does not show the secret again', async () => {
    const { stdout } = await create('--json');
    const { id, key } = createdSchema.parse(JSON.parse(stdout));
    const shown = await tollgate('key show', id);
    const listed = await tollgate('key list --account you@example.com --json');
    expect(shown.stdout).toContain(`${key.slice(0, 7)}…${key.slice(-4)}`);
    expect(shown.stdout + listed.stdout).not.toContain(key);
  });

  it('requires a verified email and explains what to do', async () => {
    const { code, stderr } = await tollgate('key create --account new@example.com --name k');
    expect(code).toBe(1);
    expect(stderr).toContain('new@example.com is not verified');
  });

  it.each([
    [['--max-budget', '0'], '--max-budget: The budget must be more than $0'],
    [['--max-budget', '1e3'], '--max-budget: Enter an amount in USD'],
    [['--rpm', '0'], '--rpm: Requests per minute must be at least 1'],
    [['--tpm', '1.5'], '--tpm: must be a whole number'],
    [['--models', 'm-1,m-1'], '--models: A model is listed twice'],
    [['--models', ','], '--models: Choose at least one model'],
    [['--models', '*'], '--models: To allow all models, list none'],
    [['--models', 'm*1'], '--models: An asterisk is supported only at the end'],
    [['--expires', 'soon'], '--expires: must be a duration such as 30d'],
  ])('rejects %j as a usage error', async (options, message) => {
    const { code, stderr } = await create(...options);
    expect({ code, stderr: stderr.trim() }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('rejects unknown models and an expiry in the past', async () => {
    expect(await create('--models', 'm-1,nope')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Unknown models: nope'),
    });
    expect(await create('--models', 'm-*,nope-*')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Unknown models: nope-*'),
    });
    expect((await create('--models', 'm-*')).stdout).toContain('m-*');
    expect(await create('--expires', '2020-01-01')).toMatchObject({
      code: 1,
      stderr: '--expires is in the past\n',
    });
  });

  it('revokes a key permanently', async () => {
    const { id } = createdSchema.parse(JSON.parse((await create('--json')).stdout));
    const first = await tollgate.json('key revoke', id);
    expect(first).toMatchObject({ id, state: 'revoked', revokedAt: expect.any(String) });
    expect(await tollgate.json('key revoke', id)).toEqual(first);
    expect(await tollgate('key revoke key_nope')).toMatchObject({
      code: 1,
      stderr: 'Key key_nope does not exist\n',
    });
  });

  it('creates a key with tags and shows them', async () => {
    const { id } = createdSchema.parse(JSON.parse((await create('--tags', 'ci, staging', '--json')).stdout));
    expect(await tollgate.json('key show', id)).toMatchObject({ tags: ['ci', 'staging'] });
    expect((await tollgate('key show', id)).stdout).toContain('ci, staging');
    const { code, stderr } = await create('--tags', 'a,a');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '--tags: A tag is listed twice\n' });
  });

  it('rotates a key: a new secret, the same scope, and the old key revoked', async () => {
    const made = await create(...'--max-budget 5 --rpm 60 --tags ci --json'.split(' '));
    const { id, key } = createdSchema.parse(JSON.parse(made.stdout));
    const rotated = await tollgate.json('key rotate', id);
    const next = createdSchema.parse(rotated);
    expect(isWellFormedApiKey(next.key)).toBe(true);
    expect(next.key).not.toBe(key);
    expect(rotated).toMatchObject({
      replaces: id,
      rpm: 60,
      maxBudgetUsd: '5.00',
      tags: ['ci'],
      oldKeyEndsAt: null,
    });
    expect(await tollgate.json('key show', id)).toMatchObject({ state: 'revoked' });
    expect(await tollgate('key rotate', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already rotated'),
    });
  });

  it('lets the old key work for a time, with a part of the budget', async () => {
    const { id } = createdSchema.parse(JSON.parse((await create('--max-budget', '5', '--json')).stdout));
    expect(await tollgate('key rotate', id, '--old-key-ends', '12h', '--keep-budget', '5')).toMatchObject({
      code: 1,
      stderr: '--keep-budget must be less than the remaining $5.00\n',
    });
    expect(await tollgate('key rotate', id, '--old-key-ends', '31d')).toMatchObject({ code: 1 });
    const { stdout } = await tollgate('key rotate', id, '--old-key-ends', '12h', '--keep-budget', '2');
    expect(stdout).toContain(`The old key ${id} stops on `);
    const old = z
      .object({ state: z.string(), expiresAt: z.string() })
      .parse(await tollgate.json('key show', id));
    expect(old.state).toBe('active');
    expect((Date.parse(old.expiresAt) - Date.now()) / 3_600_000).toBeCloseTo(12, 1);
  });

  it('does not repeat a secret that was pasted instead of a key ID', async () => {
    const secret = 'sk-pastedByMistake';
    const { code, stderr } = await tollgate('key revoke', secret);
    expect(code).toBe(1);
    expect(stderr).not.toContain(secret);
  });
});
