import { erasePerson } from '@tollgate/db/queries/users/delete-person';
import { inTransaction } from '@tollgate/db/transaction';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const SECRET = 'right-key';
const TERMS = {
  settings: {},
  connectTimeoutMs: null,
  firstByteTimeoutMs: null,
  idleTimeoutMs: null,
  totalTimeoutMs: null,
  maxConcurrency: null,
};

describe('ownCredentials', () => {
  let site: TestConsole;
  let operator: SignedIn;
  let owner: SignedIn;
  let other: SignedIn;
  let fake: FakeProvider;
  let providerId = '';
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    owner = await signUpVerified(site);
    other = await signUpVerified(site);
    fake = await createFakeProvider({ apiKey: SECRET, models: ['a'] });
    const added = {
      name: 'open',
      preset: null,
      dialect: 'openai-chat' as const,
      terms: { ...TERMS, baseUrl: `${fake.origin}/v1` },
      credential: 'key-of-the-operator',
      headers: [{ name: 'x-operator', value: 'secret-of-the-operator' }],
    };
    ({ id: providerId } = await operator.visitor.client.operator.providers.add.mutate(added));
  });
  afterAll(async () => {
    await fake.close();
    await site[Symbol.asyncDispose]();
  });
  const client = (person = owner) => person.visitor.client.ownCredentials;
  const list = async (person = owner) =>
    (await client(person).list.query({ accountId: person.accountId })).providers;
  const place = (person = owner) => ({ accountId: person.accountId, providerId });
  const set = (rest: object = {}, person = owner) =>
    client(person).set.mutate({ ...place(person), mode: 'only', credential: SECRET, ...rest });
  const allow = (isAllowed: boolean) =>
    operator.visitor.client.operator.providers.allowOwnCredentials.mutate({ providerId, isAllowed });

  it('offers no provider unless the operator allows it', async () => {
    expect(await list()).toEqual([]);
    expect((await getRefusal(set())).code).toBe('NOT_FOUND');
    await allow(true);
    expect(await list()).toMatchObject([{ name: 'open', isAllowed: true, credential: null }]);
  });

  it('attaches one, encrypted, that no response and no other account contains', async () => {
    await set();
    await set({ mode: 'first', credential: null });
    expect(await list()).toMatchObject([{ credential: { mode: 'first' } }]);
    expect(await list(other)).toMatchObject([{ credential: null }]);
    const traces = await site.deps.db.sql`SELECT to_jsonb(audit_log) AS row FROM audit_log
      UNION ALL SELECT jsonb_build_object('sealed', encode(credential_sealed, 'escape')) FROM own_credentials`;
    expect(JSON.stringify(traces)).toContain('account.own_credential_set');
    expect(JSON.stringify([await list(), traces])).not.toContain(SECRET);
  });

  it('tests it with its own value, and without the headers of the operator', async () => {
    expect(await client().test.mutate(place())).toMatchObject({ ok: true, models: 1 });
    expect(fake.requests.at(-1)?.headers).not.toHaveProperty('x-operator');
    await set({ credential: 'wrong-key' });
    const refused = await client().test.mutate(place());
    expect(refused).toMatchObject({ ok: false });
    expect(JSON.stringify(refused)).not.toContain(new URL(fake.origin).host);
    expect((await getRefusal(client(other).test.mutate(place(other)))).code).toBe('NOT_FOUND');
    expect((await getRefusal(client(other).test.mutate(place()))).code).not.toBe('OK');
  });

  it.each([
    [{ credential: 'two words' }, 'credential'],
    [{ credential: '' }, 'credential'],
  ])('refuses %o at its field', async (change, field) => {
    expect(await getRefusal(set(change))).toMatchObject({ code: 'BAD_REQUEST', field });
  });

  it('refuses to keep a value that does not exist', async () => {
    expect(await getRefusal(set({ credential: null }, other))).toMatchObject({ field: 'credential' });
  });

  it('accepts no key of Google that requests its tokens elsewhere', async () => {
    const google = {
      name: 'google',
      preset: 'vertex-gemini',
      dialect: 'openai-chat' as const,
      terms: { ...TERMS, baseUrl: '', settings: { project: 'p', region: 'global' } },
      credential: '',
      headers: [{ name: 'x-any', value: 'y' }],
    };
    const { id } = await operator.visitor.client.operator.providers.add.mutate(google);
    await operator.visitor.client.operator.providers.allowOwnCredentials.mutate({
      providerId: id,
      isAllowed: true,
    });
    const key = (tokenUrl: string) =>
      JSON.stringify({
        type: 'service_account',
        client_email: 'a@p.iam.gserviceaccount.com',
        private_key: '-----BEGIN PRIVATE KEY-----',
        token_uri: tokenUrl,
      });
    const refused = await getRefusal(
      set({ providerId: id, credential: key('http://169.254.169.254/token') }),
    );
    expect(refused).toMatchObject({ field: 'credential', message: expect.stringContaining('token_uri') });
    await set({ providerId: id, credential: key('https://oauth2.googleapis.com/token') });
  });

  it('is removed by its account, and deleted with it', async () => {
    expect((await getRefusal(client(other).remove.mutate(place(other)))).code).toBe('NOT_FOUND');
    await client().remove.mutate(place());
    expect((await list()).find(({ name }) => name === 'open')?.credential).toBe(null);
    const { providers } = await operator.visitor.client.operator.providers.list.query();
    expect(providers.find(({ id }) => id === providerId)).toMatchObject({ ownCredentials: 0 });
    await set({}, other);
    const { email, accountId } = other;
    const [user] = await site.deps.db.sql<{ id: string }[]>`SELECT id FROM users WHERE email = ${email}`;
    const userId = user?.id ?? '';
    await inTransaction(site.deps.db, (tx) =>
      erasePerson(tx, { userId, email, accountIds: [accountId], at: new Date() }),
    );
    const left = await site.deps.db.sql`SELECT 1 FROM own_credentials WHERE account_id = ${accountId}`;
    expect(left).toEqual([]);
  });
});
