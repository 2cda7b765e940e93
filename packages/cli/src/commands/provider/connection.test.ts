import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { startRawServer } from '@tollgate/upstreams/transport/http1/raw-server.fixture';
import { createSelfSigned } from '@tollgate/upstreams/transport/http1/self-signed.fixture';
import {
  startForwardProxy,
  type ForwardProxy,
} from '@tollgate/upstreams/transport/undici/forward-proxy.fixture';
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
    expect(tested.stderr).toContain('the proxy answered 407');
    expect(tested.stderr).not.toContain('other-word');
    await tollgate.json('provider connection proxied --proxy direct');
    expect(await tollgate.json('provider test proxied')).toMatchObject({ status: 200 });
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
    expect((await tollgate('provider test own-ca')).stderr).toContain('TLS certificate is not accepted');
    expect(await tollgate.json(`provider connection own-ca --ca ${file} --http2 on`)).toMatchObject({
      caCertificates: tls.cert.replaceAll('\n\n', '\n'),
      http2: true,
    });
    expect(await tollgate.json('provider test own-ca')).toMatchObject({ status: 200, models: 0 });
    expect(await tollgate.json('provider connection own-ca --ca none')).toMatchObject({
      caCertificates: null,
    });
  });

  it.each([
    ['', 'Give --proxy, --ca or --http2'],
    ['--proxy socks5://proxy.test', '--proxy: must be an http or https URL'],
    ['--ca /nowhere/ca.pem', '--ca: '],
    ['--http2 maybe', 'must be on or off'],
  ])('rejects the flags %j', async (flags, message) => {
    const refused = await tollgate(`provider connection proxied ${flags}`.trim());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(message);
  });
});
