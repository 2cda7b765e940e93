import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { startForwardProxy } from '@tollgate/upstreams/transport/undici/forward-proxy.fixture';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const TERMS = {
  baseUrl: '',
  settings: {},
  connectTimeoutMs: null,
  firstByteTimeoutMs: null,
  idleTimeoutMs: null,
  totalTimeoutMs: null,
  maxConcurrency: null,
};
const SECRET = 'sk-a-secret-of-the-operator';

describe('operator.providers', () => {
  let site: TestConsole;
  let operator: SignedIn;
  let upstream: Server;
  let upstreamUrl: string;
  let lastHeaders: IncomingHttpHeaders = {};
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    upstream = createServer((request, response) => {
      lastHeaders = request.headers;
      const isKnown = request.headers.authorization === `Bearer ${SECRET}`;
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isKnown ? '{"data":[{"id":"a"},{"id":"b"}]}' : '{"error":"who are you"}');
    });
    await new Promise<void>((resolve) => {
      upstream.listen(0, '127.0.0.1', resolve);
    });
    const address = upstream.address();
    if (address === null || typeof address === 'string') throw new Error('No port');
    upstreamUrl = `http://127.0.0.1:${address.port}/v1`;
  });
  afterAll(async () => {
    upstream.close();
    await site[Symbol.asyncDispose]();
  });
  const client = () => operator.visitor.client.operator.providers;
  const own = (name: string, credential = SECRET) => ({
    name,
    preset: null,
    dialect: 'openai-chat' as const,
    terms: { ...TERMS, baseUrl: `${upstreamUrl}/` },
    credential,
  });
  const find = async (name: string) => {
    const { providers } = await client().list.query();
    const found = providers.find((provider) => provider.name === name);
    if (found === undefined) throw new Error(`There is no provider ${name}`);
    return found;
  };

  it('is restricted to operators', async () => {
    const stranger = (await signUpVerified(site)).visitor.client.operator.providers;
    const refusals = await Promise.all([
      getRefusal(stranger.list.query()),
      getRefusal(stranger.add.mutate(own('theirs'))),
      getRefusal(stranger.test.mutate({ providerId: 'prov_1' })),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });

  it('stores a credential encrypted, and shows only whether there is one', async () => {
    await client().add.mutate(own('own'));
    const provider = await find('own');
    expect(provider).toMatchObject({ baseUrl: upstreamUrl, credential: { kind: 'stored' }, health: null });
    expect(JSON.stringify(await client().list.query())).not.toContain(SECRET);
    const rows = await site.deps.db.sql`
      SELECT encode(credential_sealed, 'escape') AS sealed FROM providers WHERE name = 'own'
      UNION ALL SELECT detail::text FROM audit_log WHERE subject = ${provider.id}`;
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  it('makes one real call with the stored credential', async () => {
    await client().add.mutate(own('works'));
    const { id } = await find('works');
    expect(await client().test.mutate({ providerId: id })).toMatchObject({ ok: true, models: 2 });
    // They are suggestions for the upstream models of routes.
    const { providers } = await client().list.query();
    expect(providers.find((provider) => provider.id === id)?.modelIds).toEqual(['a', 'b']);
    await client().change.mutate({
      providerId: id,
      terms: { ...TERMS, baseUrl: upstreamUrl },
      credential: 'another-key',
    });
    const refused = await client().test.mutate({ providerId: id });
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('the key is not accepted') });
  });

  it('sends the headers that were set, keeps values that do not come along, and shows none of them', async () => {
    const { id } = await client().add.mutate({
      ...own('with-headers'),
      headers: [
        { name: 'X-Team', value: 'blue-secret' },
        { name: 'x-project', value: 'p-1' },
      ],
    });
    expect((await find('with-headers')).headerNames).toEqual(['x-project', 'x-team']);
    expect(await client().test.mutate({ providerId: id })).toMatchObject({ ok: true });
    expect(lastHeaders).toMatchObject({ 'x-team': 'blue-secret', 'x-project': 'p-1' });
    const change = (headers: { name: string; value: string | null }[] | null) =>
      client().change.mutate({
        providerId: id,
        terms: { ...TERMS, baseUrl: upstreamUrl },
        credential: null,
        headers,
      });
    await change([{ name: 'x-team', value: null }]);
    await change(null);
    await client().test.mutate({ providerId: id });
    expect(lastHeaders).toMatchObject({ 'x-team': 'blue-secret', authorization: `Bearer ${SECRET}` });
    expect(lastHeaders).not.toHaveProperty('x-project');
    expect((await getRefusal(change([{ name: 'x-new', value: null }]))).field).toBe('headers.0.value');
    const forbidden = await getRefusal(change([{ name: 'Authorization', value: 'Bearer x' }]));
    expect(forbidden.zodIssues?.[0]?.path).toBe('headers.0.name');
    await change([]);
    expect((await find('with-headers')).headerNames).toEqual([]);
    const traces = await site.deps.db.sql`
      SELECT detail::text AS text FROM audit_log WHERE subject = ${id}
      UNION ALL SELECT providers::text FROM providers WHERE id = ${id}`;
    const shown = JSON.stringify([await client().list.query(), traces]);
    expect(shown).toContain('x-team');
    expect(shown).not.toContain('blue-secret');
  });

  it('goes through the proxy of a provider, keeps it, and shows only its address', async () => {
    const authorization = `Basic ${Buffer.from('me:secret-word').toString('base64')}`;
    await using proxy = await startForwardProxy({ authorization });
    const connection = {
      proxy: 'own' as const,
      proxyUrl: proxy.url.replace('http://', 'http://me:secret-word@'),
      caCertificates: '',
      http2: false,
    };
    const { id } = await client().add.mutate({ ...own('behind-proxy'), connection });
    expect(await client().test.mutate({ providerId: id })).toMatchObject({ ok: true });
    expect(proxy.requests).toHaveLength(1);
    const change = (changed: Partial<Omit<typeof connection, 'proxy'>> & { proxy?: 'own' | 'direct' }) =>
      client().change.mutate({
        providerId: id,
        terms: { ...TERMS, baseUrl: upstreamUrl },
        credential: null,
        connection: { ...connection, proxyUrl: '', ...changed },
      });
    await change({ http2: true });
    expect(await find('behind-proxy')).toMatchObject({
      proxy: proxy.url.replace('http://', 'http://***@'),
      http2: true,
    });
    expect(await client().test.mutate({ providerId: id })).toMatchObject({ ok: true });
    expect(proxy.requests).toHaveLength(2);
    expect((await getRefusal(change({ proxyUrl: 'socks5://x.test' }))).field).toBe('connection.proxyUrl');
    const badCa = await getRefusal(change({ caCertificates: 'nothing' }));
    expect(badCa.field).toBe('connection.caCertificates');
    const traces = await site.deps.db.sql`
      SELECT detail::text AS text FROM audit_log WHERE subject = ${id}
      UNION ALL SELECT encode(proxy_sealed, 'escape') FROM providers WHERE id = ${id}`;
    expect(JSON.stringify([await client().list.query(), traces])).not.toContain('secret-word');
    await change({ proxy: 'direct' });
    expect(await client().test.mutate({ providerId: id })).toMatchObject({ ok: true });
    expect(proxy.requests).toHaveLength(2);
  });

  it('keeps the credential if none is given, and forgets it where that is asked for', async () => {
    await client().add.mutate(own('kept'));
    const { id } = await find('kept');
    const terms = { ...TERMS, baseUrl: upstreamUrl, maxConcurrency: 4 };
    await client().change.mutate({ providerId: id, terms, credential: null });
    expect(await find('kept')).toMatchObject({ maxConcurrency: 4, credential: { kind: 'stored' } });
    expect(await client().test.mutate({ providerId: id })).toMatchObject({ ok: true });
    await client().change.mutate({ providerId: id, terms, credential: '' });
    expect((await find('kept')).credential).toEqual({ kind: 'none' });
  });

  it('fills a settings of a preset into its address, and says which one is missing', async () => {
    const azure = {
      name: 'azure',
      preset: 'azure-openai',
      dialect: 'openai-chat' as const,
      terms: TERMS,
      credential: 'a-key',
    };
    expect((await getRefusal(client().add.mutate(azure))).field).toBe('terms.settings');
    await client().add.mutate({ ...azure, terms: { ...TERMS, settings: { resource: 'mine' } } });
    expect((await find('azure')).baseUrl).toBe('https://mine.openai.azure.com/openai/v1');
    const baseUrl = 'https://proxy.example/openai/v1';
    // The form sends settings that were left empty.
    const proxied = { ...azure, name: 'proxied', terms: { ...TERMS, baseUrl, settings: { resource: '' } } };
    await client().add.mutate(proxied);
    expect(await find('proxied')).toMatchObject({ baseUrl, settings: {} });
  });

  it.each([
    [{ terms: { ...TERMS, baseUrl: 'ftp://x' } }, 'terms.baseUrl'],
    [{ terms: { ...TERMS, baseUrl: 'https://x.example/v1/chat/completions' } }, 'terms.baseUrl'],
    [{ credential: 'two words' }, 'credential'],
    [{ name: 'taken' }, 'name'],
  ])('refuses %o at its field', async (change, field) => {
    if (field === 'name') await client().add.mutate(own('taken'));
    const attempt = client().add.mutate({ ...own('odd'), ...change });
    expect(await getRefusal(attempt)).toMatchObject({ code: 'BAD_REQUEST', field });
  });

  it('reports the errors of all fields together', async () => {
    const attempt = client().add.mutate({
      name: 'Odd Name',
      preset: 'openai',
      dialect: 'openai-chat',
      terms: { ...TERMS, baseUrl: 'ftp://x', totalTimeoutMs: 'ten', idleTimeoutMs: '3,600,001' },
      credential: 'two words',
      headers: [{ name: 'Authorization', value: 'x' }],
      connection: { proxy: 'own', proxyUrl: 'socks5://x.test', caCertificates: 'nothing', http2: false },
    });
    const { message, zodIssues } = await getRefusal(attempt);
    expect(zodIssues).toEqual([
      { path: 'name', message: expect.stringContaining('Use 1 to 63 lower-case letters') },
      { path: 'terms.baseUrl', message: expect.stringContaining('The address must be an http(s) URL') },
      { path: 'credential', message: expect.stringContaining('An API key is one word') },
      { path: 'headers.0.name', message: expect.stringContaining('authorization is set by the credential') },
      { path: 'connection.proxyUrl', message: expect.stringContaining('The proxy URL must be an http') },
      {
        path: 'connection.caCertificates',
        message: 'The certificates must be in PEM, beginning with -----BEGIN CERTIFICATE-----.',
      },
      {
        path: 'terms.idleTimeoutMs',
        message: 'Enter a whole number from 1 to 3,600,000, or leave the field empty',
      },
      { path: 'terms.totalTimeoutMs', message: expect.stringContaining('from 1 to 86,400,000') },
    ]);
    expect(message).toBe(zodIssues?.[0]?.message);
  });

  it('takes limits as they are typed', async () => {
    const terms = { ...TERMS, baseUrl: upstreamUrl, connectTimeoutMs: '5,000', idleTimeoutMs: ' ' };
    await client().add.mutate({ ...own('typed'), terms });
    expect(await find('typed')).toMatchObject({ connectTimeoutMs: 5_000, idleTimeoutMs: null });
  });

  it('removes a provider with its routes', async () => {
    await client().add.mutate(own('gone'));
    const { id } = await find('gone');
    await site.deps.db.sql`INSERT INTO models (id) VALUES ('m')`;
    await site.deps.db.sql`INSERT INTO routes (id, model_id, provider_id) VALUES ('route_1', 'm', ${id})`;
    expect(await client().remove.mutate({ providerId: id })).toEqual({ removedRoutes: 1 });
    expect((await getRefusal(client().remove.mutate({ providerId: id }))).code).toBe('NOT_FOUND');
  });
});
