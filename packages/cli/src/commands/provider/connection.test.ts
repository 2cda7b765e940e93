import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { startRawServer } from '@tollgate/upstreams/transport/http1/raw-server.fixture';
import { createSelfSigned } from '@tollgate/upstreams/transport/http1/self-signed.fixture';
import {
  startForwardProxy,
  type ForwardProxy,
} from '@tollgate/upstreams/transport/undici/forward-proxy.fixture';
import { startSilentServer } from '@tollgate/upstreams/transport/undici/silent-server.fixture';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('the connection of a provider', () => {
  let database: TestDatabase;
  let fake: FakeProvider;
  let proxy: ForwardProxy;
  let tollgate: Tollgate;
  let folder: string;
  const authorization = `Basic ${Buffer.from('me:secret-word').toString('base64')}`;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tollgate-ca-'));
    database = await createTestDatabase();
    fake = await createFakeProvider({ apiKey: 'right-key', models: ['a', 'b'] });
    proxy = await startForwardProxy({ authorization });
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await fake.close();
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const withPassword = (word: string) => proxy.url.replace('http://', `http://me:${word}@`);

  it('goes through the proxy, which is shown without its password', async () => {
    const added = await tollgate.json(
      `provider add --name proxied --dialect openai-chat --base-url ${fake.origin}/v1 --api-key right-key --proxy ${withPassword('secret-word')}`,
    );
    expect(added).toMatchObject({ proxy: proxy.url.replace('http://', 'http://***@'), http2: false });
    expect(await tollgate.json('provider test proxied')).toMatchObject({ status: 200, models: 2 });
    expect(proxy.requests).toEqual([`GET ${fake.origin}/v1/models`]);
    expect(JSON.stringify(await tollgate.json('provider list'))).not.toContain('secret-word');
    const doctor = JSON.stringify(await tollgate.json('doctor'));
    expect(doctor).toContain('proxied: http://***@');
    expect(doctor).not.toContain('secret-word');
  });

  it('names a proxy that refuses the credential, without the credential', async () => {
    const changed = await tollgate(`provider connection proxied --proxy ${withPassword('other-word')}`);
    expect(changed.stdout).toContain('proxied: proxy http://***@');
    const tested = await tollgate('provider test proxied');
    expect(tested.code).toBe(1);
    expect(tested.stderr).toContain(
      `The forward proxy ${proxy.url.replace('http://', 'http://***@')} rejected the user name or password.`,
    );
    expect(tested.stderr).not.toContain('other-word');
    await tollgate.json(`provider connection proxied --proxy ${proxy.url}`);
    expect((await tollgate('provider test proxied')).stderr).toContain('requires a user name and password');
    await tollgate.json('provider connection proxied --proxy direct');
    expect(await tollgate.json('provider test proxied')).toMatchObject({ status: 200 });
  });

  it.each(['http', 'https'])('names a proxy that is down, for an %s provider', async (scheme) => {
    const address = `127.0.0.1:${await findFreePort()}`;
    await tollgate.json(
      `provider add --name down-${scheme} --dialect openai-chat --base-url ${scheme}://provider.invalid/v1 --proxy http://me:word@${address}`,
    );
    expect((await tollgate(`provider test down-${scheme}`)).stderr).toBe(
      `The forward proxy http://***@${address} cannot be reached: nothing listens at this address\n`,
    );
  });

  it.each(['http', 'https'])('names a proxy that drops all packets, for an %s provider', async (scheme) => {
    await using silent = await startSilentServer();
    await tollgate.json(
      `provider add --name dropped-${scheme} --dialect openai-chat --base-url ${scheme}://provider.invalid/v1 --connect-timeout-ms 1000 --proxy http://me:word@${silent.authority}`,
    );
    expect((await tollgate(`provider test dropped-${scheme}`)).stderr).toBe(
      `The forward proxy http://***@${silent.authority} did not answer (no connection within 1000 ms). Check its address, and that this host may connect to it.\n`,
    );
  });

  it('says that a proxy does not reach the provider', async () => {
    await using open = await startForwardProxy();
    await tollgate.json(
      `provider add --name unreached --dialect openai-chat --base-url https://127.0.0.1:${await findFreePort()}/v1 --proxy ${open.url}`,
    );
    expect((await tollgate('provider test unreached')).stderr).toContain(
      `The forward proxy ${open.url} answered 502 instead of a connection to the provider.`,
    );
  });

  it('trusts the certificates of the provider', async () => {
    const tls = createSelfSigned('localhost');
    await using server = await startRawServer(
      ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"data":[]}');
      },
      { tls },
    );
    const file = path.join(folder, 'ca.pem');
    await writeFile(file, tls.cert);
    await tollgate.json(
      `provider add --name own-ca --dialect openai-chat --base-url ${server.origin}/v1 --api-key k`,
    );
    const untrusted = (await tollgate('provider test own-ca')).stderr;
    expect(untrusted).toContain('TLS certificate is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(untrusted).toContain('to the CA certificates of the provider (--ca)');
    expect(untrusted).not.toContain('use-system-ca');
    expect(await tollgate.json(`provider connection own-ca --ca ${file} --http2 on`)).toMatchObject({
      caCertificates: tls.cert.replaceAll('\n\n', '\n'),
      http2: true,
    });
    expect(await tollgate.json('provider test own-ca')).toMatchObject({ status: 200, models: 0 });
    expect(await tollgate.json('provider connection own-ca --ca none')).toMatchObject({
      caCertificates: null,
    });
  });

  it('is shown without a flag, and in the list', async () => {
    const file = path.join(folder, 'shown.pem');
    await writeFile(file, createSelfSigned('localhost').cert);
    await tollgate.json(
      `provider add --name shown --dialect openai-chat --base-url ${fake.origin}/v1 --proxy ${withPassword('secret-word')} --ca ${file} --http2 on`,
    );
    const proxyText = `proxy ${proxy.url.replace('http://', 'http://***@')}`;
    const shown = await tollgate('provider connection shown');
    expect(shown).toMatchObject({ code: 0, stdout: `shown: ${proxyText}, CA certificates, HTTP/2\n` });
    const findRow = async () =>
      (await tollgate('provider list')).stdout.split('\n').find((line) => line.startsWith('shown '));
    expect(await findRow()).toContain(`${proxyText}, CA certificates, HTTP/2`);
    await tollgate.json('provider connection shown --proxy environment --ca none --http2 off');
    expect((await tollgate('provider connection shown')).stdout).toBe('shown: proxy of the environment\n');
    expect(await findRow()).toMatch(/ none +- +- +0$/);
  });

  it('names no default for flags that keep their value', async () => {
    const getHelp = async (command: string) =>
      (await tollgate(`provider ${command} --help`)).stdout.replaceAll(/\s+/g, ' ');
    expect(await getHelp('connection')).not.toContain('(default');
    expect(await getHelp('add')).toContain('(default: environment)');
  });

  it.each([
    ['--proxy socks5://proxy.test', '--proxy: must be an http or https URL'],
    ['--ca /nowhere/ca.pem', '--ca: '],
    ['--http2 maybe', 'must be on or off'],
  ])('rejects the flags %j', async (flags, message) => {
    const refused = await tollgate(`provider connection proxied ${flags}`.trim());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(message);
  });
});
