import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { NO_CREDENTIAL } from '../credential/credential.ts';
import { createSelfSigned } from '../transport/http1/self-signed.fixture.ts';
import { parseCertificates } from './parse-certificates.ts';
import { openConnections, type StoredConnection } from './provider-connection.ts';
import { NO_PROXIES, readProxyEnvironment } from './proxy-environment.ts';
import { readProxy } from './read-proxy.ts';

const STORED: StoredConnection = {
  id: 'prov_1',
  baseUrl: 'https://api.example.com/v1',
  proxy: null,
  proxySealed: null,
  caCertificates: null,
  http2: false,
  connectTimeoutMs: null,
};
/** Represents encryption: it binds the text to its context. */
const seal = (plain: string, context: string) => Buffer.from(JSON.stringify([plain, context]));
const open = (sealed: Buffer, context: string): string => {
  const [plain, sealedFor] = JSON.parse(sealed.toString()) as [string, string];
  if (sealedFor !== context) throw new Error('sealed for another provider');
  return plain;
};
const { proxies } = readProxyEnvironment({ HTTPS_PROXY: 'http://env.test:3128' });
const connect = (stored: Partial<StoredConnection>, environment = proxies) =>
  openConnections({ ...STORED, ...stored }, NO_CREDENTIAL, { open, proxies: environment }).provider;

function getColumns(text: string) {
  const read = readProxy(text, 'prov_1', seal);
  if (!read.ok) throw new Error(read.reason);
  return read.columns;
}

it('uses our own client for a provider without a proxy, certificates or HTTP/2', () => {
  expect(connect({}, NO_PROXIES)).toBeNull();
});

it('uses the proxy of the environment, unless the provider has none or its own', () => {
  expect(connect({})).toMatchObject({ proxy: 'http://env.test:3128/' });
  expect(connect(getColumns('environment'))).toMatchObject({ proxy: 'http://env.test:3128/' });
  expect(connect(getColumns('direct'))).toBeNull();
  expect(connect(getColumns('http://me:secret@own.test'))).toMatchObject({
    proxy: 'http://me:secret@own.test/',
  });
});

it('shows a stored proxy without its user name and password', () => {
  expect(getColumns('http://me:secret@own.test:3128').proxy).toBe('http://***@own.test:3128');
});

it('does not open the proxy of another provider', () => {
  expect(() => connect({ ...getColumns('http://own.test'), id: 'prov_2' })).toThrow('another provider');
});

it('reaches the token endpoint of a Google credential through the same proxy', () => {
  const credential = {
    kind: 'google',
    clientEmail: 'a@example.com',
    privateKey: 'k',
    privateKeyId: null,
    tokenUrl: 'https://oauth2.example.com/token',
    headers: {},
  } as const;
  const { proxies: some } = readProxyEnvironment({
    HTTPS_PROXY: 'http://env.test',
    NO_PROXY: 'api.example.com',
  });
  const { provider, tokens } = openConnections(STORED, credential, { open, proxies: some });
  expect(provider).toBeNull();
  expect(tokens).toMatchObject({ proxy: 'http://env.test/' });
});

it('takes certificates in PEM, and no private key', () => {
  const { cert, key } = createSelfSigned('a.example');
  expect(parseCertificates(`subject=a\n${cert}\n${cert}`)).toMatchObject({ ok: true });
  expect(parseCertificates(`${cert}${key}`)).toMatchObject({
    ok: false,
    reason: 'must not contain a private key',
  });
  expect(parseCertificates('nothing')).toMatchObject({ ok: false });
});

it('names the certificate that cannot be read', () => {
  const { cert } = createSelfSigned('a.example');
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  expect(parseCertificates(`${cert}${broken}`)).toEqual({
    ok: false,
    reason: 'must be valid: number 2 cannot be read',
  });
});
