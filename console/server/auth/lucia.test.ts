import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpired } from '../housekeeping.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpVerified } from '../testing/people.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
const DAY_MS = 86_400_000;

describe('sessions', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const expireIn = async (email: string, milliseconds: number) => {
    await site.deps.db.sql`
      UPDATE sessions SET expires_at = now() + make_interval(secs => ${milliseconds / 1000})
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`;
  };
  const getRows = async (email: string) =>
    site.deps.db.sql<{ id: Buffer; daysLeft: number }[]>`
      SELECT s.id, extract(epoch FROM s.expires_at - now())::float8 / 86400 AS "daysLeft"
      FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = ${email}`;

  it('are stored by the SHA-256 of the id in the cookie', async () => {
    const { visitor, email } = await signUpVerified(site);
    const id = visitor.cookies.get('tollgate_session') ?? '';
    const [row] = await getRows(email);
    expect(row?.id).toEqual(site.deps.sessions.hashId(id));
    expect(await site.deps.sessions.validate(site.deps.sessions.hashId(id).toString('hex'))).toBeNull();
  });

  it('live for 30 days and are prolonged with a new cookie in their second half', async () => {
    const { visitor, email } = await signUpVerified(site);
    await expireIn(email, 16 * DAY_MS);
    await visitor.client.session.get.query();
    expect(visitor.lastSetCookies).toEqual([]);
    await expireIn(email, 14 * DAY_MS);
    await visitor.client.session.get.query();
    expect(visitor.lastSetCookies[0]).toMatch(/^tollgate_session=.*Max-Age=2592000/);
    expect((await getRows(email))[0]?.daysLeft).toBeCloseTo(30, 1);
  });

  it('end after 90 days, however much they are used', async () => {
    const { visitor, email } = await signUpVerified(site);
    const openedAgo = (days: number) => site.deps.db.sql`
      UPDATE sessions SET created_at = now() - make_interval(days => ${days})
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`;
    await openedAgo(89);
    expect((await visitor.client.session.get.query()).user?.email).toBe(email);
    await openedAgo(90);
    expect((await visitor.client.session.get.query()).user).toBeNull();
    await deleteExpired(site.deps);
    expect(await getRows(email)).toHaveLength(0);
  });

  it('end when they expire: the row and the cookie go', async () => {
    const { visitor, email } = await signUpVerified(site);
    await expireIn(email, -1000);
    expect((await visitor.client.session.get.query()).user).toBeNull();
    expect(visitor.cookies.has('tollgate_session')).toBe(false);
    expect(await getRows(email)).toHaveLength(0);
  });

  it('that no one comes back to are swept away', async () => {
    const { email } = await signUpVerified(site);
    const staying = await signUpVerified(site);
    await expireIn(email, -1000);
    await deleteExpired(site.deps);
    expect(await getRows(email)).toHaveLength(0);
    expect(await getRows(staying.email)).toHaveLength(1);
  });

  it('are not opened by ids that are made up', async () => {
    for (const id of ['', 'x', 'x'.repeat(5000), "' OR 1=1 --"]) {
      expect(await site.deps.sessions.validate(id)).toBeNull();
    }
  });
});

it('one file imports lucia', () => {
  const files = globSync('{api,console,db,packages}/**/*.{ts,tsx}', {
    cwd: REPOSITORY,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  });
  const importers = files.filter((file) =>
    /from 'lucia'|import\('lucia'\)/.test(readFileSync(path.join(REPOSITORY, file), 'utf8')),
  );
  expect(importers.filter((file) => !file.endsWith('.test.ts'))).toEqual(['console/server/auth/lucia.ts']);
});
