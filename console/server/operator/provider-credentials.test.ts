import { setCredentialAside } from '@tollgate/db/queries/providers/set-aside-credentials';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';
import { sendCredentialAlerts } from './alerts/send-credential-alerts.ts';
import { checkCredentials } from './check-credentials.ts';

const SECRET = 'right-key';
const DAY_MS = 86_400_000;

describe('operator.providerCredentials', () => {
  let site: TestConsole;
  let operator: SignedIn;
  let fake: FakeProvider;
  let providerId = '';
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    fake = await createFakeProvider({ apiKey: SECRET, models: ['a'] });
    const terms = {
      baseUrl: `${fake.origin}/v1`,
      settings: {},
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      idleTimeoutMs: null,
      totalTimeoutMs: null,
      maxConcurrency: null,
    };
    const own = {
      name: 'own',
      preset: null,
      dialect: 'openai-chat' as const,
      terms,
      credential: 'wrong-key',
    };
    ({ id: providerId } = await operator.visitor.client.operator.providers.add.mutate(own));
  });
  afterAll(async () => {
    await fake.close();
    await site[Symbol.asyncDispose]();
  });
  const client = () => operator.visitor.client.operator.providerCredentials;
  const add = (rest: object) =>
    client().add.mutate({ providerId, label: 'second', weight: '2', credential: SECRET, ...rest });
  const list = async () => (await client().list.query({ providerId })).credentials;
  const find = async (label: string) => {
    const found = (await list()).find((each) => each.label === label);
    if (found === undefined) throw new Error(`There is no credential ${label}`);
    return found;
  };
  const setAside = async (label: string, cause: 'refused' | 'no_credit') => {
    const { id } = await find(label);
    const [row] = await site.deps.db.sql<{ version: number }[]>`
      SELECT version FROM provider_credentials WHERE id = ${id}`;
    const at = new Date(site.deps.clock.nowMs());
    const refused = { id, version: row?.version ?? 0, at, cause, message: 'No such key.' };
    expect(await setCredentialAside(site.deps.db, refused)).toBe(true);
  };
  const getEmails = async () =>
    (await site.mailsTo(operator.email)).filter(
      ({ subject }) => subject === 'Provider credentials were set aside',
    );

  it('adds, weighs and lists them without their values', async () => {
    await add({});
    await client().setWeight.mutate({ credentialId: providerId, weight: 3 });
    expect(await list()).toMatchObject([
      { label: 'first', weight: 3, isFirst: true, setAside: null },
      { label: 'second', weight: 2, isFirst: false, setAside: null },
    ]);
    const traces = await site.deps.db.sql`SELECT detail::text AS text FROM audit_log
      UNION ALL SELECT encode(credential_sealed, 'escape') FROM provider_credentials`;
    expect(JSON.stringify([await list(), traces])).not.toContain(SECRET);
  });

  it.each([
    [{ label: 'Not valid' }, 'label'],
    [{ label: 'second' }, 'label'],
    [{ label: 'third', weight: '0' }, 'weight'],
    [{ label: 'third', credential: 'two words' }, 'credential'],
    [{ label: 'third', credential: '' }, 'credential'],
  ])('refuses %o at its field', async (change, field) => {
    expect(await getRefusal(add(change))).toMatchObject({ code: 'BAD_REQUEST', field });
  });

  it('emails operators once when one is set aside, and shows it on the page', async () => {
    await setAside('second', 'refused');
    await Promise.all([1, 2].map(() => sendCredentialAlerts(site.deps)));
    const [email, ...more] = await getEmails();
    expect(more).toEqual([]);
    expect(email?.text).toContain('own (second): the provider refused it. The provider says: No such key.');
    const { providers } = await operator.visitor.client.operator.providers.list.query();
    expect(providers.find(({ id }) => id === providerId)?.credentials).toEqual({ count: 2, setAside: 1 });
  });

  it('uses it again when a check passes, and sends no second email on the same day', async () => {
    await setAside('first', 'refused');
    await checkCredentials(site.deps);
    expect(await find('second')).toMatchObject({ setAside: null });
    expect((await find('first')).setAside).toMatchObject({ cause: 'refused' });
    await setAside('second', 'refused');
    await sendCredentialAlerts(site.deps);
    const texts = (await getEmails()).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('own (second)'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('own (first)'))).toHaveLength(1);
    site.advance(DAY_MS + 1);
    await client().restore.mutate({ credentialId: (await find('second')).id });
  });

  it('checks an account without credit with a completion, because the list of models is free', async () => {
    await setAside('second', 'no_credit');
    await checkCredentials(site.deps);
    // No route leads to the provider yet, so there is no model to ask for.
    expect(fake.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toEqual([]);
    expect((await find('second')).setAside).not.toBe(null);
    await site.deps.db.sql`INSERT INTO models (id) VALUES ('a')`;
    await site.deps.db
      .sql`INSERT INTO routes (id, model_id, provider_id) VALUES ('route_1', 'a', ${providerId})`;
    expect(await client().test.mutate({ credentialId: (await find('second')).id })).toMatchObject({
      ok: true,
    });
    expect(fake.requests.some(({ path }) => path.endsWith('/chat/completions'))).toBe(true);
    expect((await find('second')).setAside).toBe(null);
  });

  it('removes all but the last one', async () => {
    await client().remove.mutate({ credentialId: (await find('first')).id });
    expect(await list()).toMatchObject([{ label: 'second', weight: 2, isFirst: true }]);
    expect(await operator.visitor.client.operator.providers.test.mutate({ providerId })).toMatchObject({
      ok: true,
    });
    const refused = await getRefusal(client().remove.mutate({ credentialId: providerId }));
    expect(refused).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await getRefusal(client().remove.mutate({ credentialId: 'cred_x' }))).code).toBe('NOT_FOUND');
  });
});
