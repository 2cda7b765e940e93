import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate provider test', () => {
  let database: TestDatabase;
  let fake: FakeProvider;
  let tollgate: Tollgate;
  const servers: Server[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    fake = await createFakeProvider({ apiKey: 'right-key', models: ['a', 'b'] });
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await fake.close();
    await database[Symbol.asyncDispose]();
  });

  /** Starts a provider for one test. @returns its address: `127.0.0.1:<port>` */
  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it.each(['openai-chat', 'anthropic-messages'])('requests one word from a model of %s', async (dialect) => {
    await tollgate.json(
      `provider add --name word-${dialect} --dialect ${dialect} --base-url ${fake.origin}/v1 --api-key right-key`,
    );
    const path = dialect === 'openai-chat' ? '/chat/completions' : '/messages';
    expect(await tollgate.json(`provider test word-${dialect} --model a`)).toEqual({
      name: `word-${dialect}`,
      url: `${fake.origin}/v1${path}`,
      status: 200,
      latencyMs: expect.any(Number),
      models: null,
      model: 'a',
    });
  });

  it('signs a request to a cloud provider and uses the model of a route', async () => {
    const seen: string[] = [];
    const host = await serve((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization?.slice(0, 45)}`);
      response.end('{"content":[{"type":"text","text":"yes"}]}');
    });
    await tollgate.json(
      `provider add --preset bedrock-anthropic --setting region=us-east-1 --base-url http://${host}`,
      '--api-key',
      'AKIDEXAMPLE12345:secret',
    );
    const without = await tollgate('provider test bedrock-anthropic');
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('Choose one with --model') });
    await tollgate.json('model add --id claude --input-price 3 --output-price 15');
    await tollgate.json('route add --model claude --provider bedrock-anthropic --upstream-model us.claude:0');
    const tested = await tollgate('provider test bedrock-anthropic');
    expect(tested.stdout).toContain('bedrock-anthropic works');
    expect(seen).toEqual(['/model/us.claude%3A0/invoke AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE12345/']);
  });

  it.each([
    [401, 'the key is not accepted'],
    [402, 'the account at the provider has no credit'],
    [403, 'the key is not accepted, or may not use m'],
    [404, 'it has no model m, or the base URL is wrong'],
    [429, 'the key is valid, but has reached its limit'],
    [503, 'the provider failed'],
  ])('says what a %i means, and never the key', async (status, meaning) => {
    const host = await serve((request, response) => {
      response.writeHead(status).end(`{"error":"no: ${request.headers.authorization}"}`);
    });
    const name = `refuses-${status}`;
    await tollgate.json(
      `provider add --name ${name} --dialect openai-chat --base-url http://${host}/v1 --api-key sk-very-secret`,
    );
    const tested = await tollgate(`provider test ${name} --model m`);
    expect(tested).toMatchObject({ code: 1, stderr: expect.stringContaining(`${status}: ${meaning}`) });
    expect(tested.stderr).toContain('. The provider says: no: Bearer …');
  });

  it.each([
    ['--model m', 'its TLS certificate is not accepted, or it speaks no TLS'],
    ['', 'its TLS certificate is not accepted, or it speaks no TLS'],
  ])('says that a server speaks no TLS (%s)', async (option, meaning) => {
    const host = await serve((_, response) => response.end('{}'));
    const name = `no-tls-${option.length}`;
    await tollgate.json(`provider add --name ${name} --dialect openai-chat --base-url https://${host}/v1`);
    const tested = await tollgate(`provider test ${name} ${option}`.trim());
    expect(tested).toMatchObject({ code: 1, stderr: expect.stringContaining(meaning) });
  });

  it.each(['--model m', ''])('reports an unknown host name (%s)', async (option) => {
    const name = `no-name-${option.length}`;
    await tollgate.json(
      `provider add --name ${name} --dialect openai-chat --base-url http://nowhere.invalid/v1`,
    );
    const tested = await tollgate(`provider test ${name} ${option}`.trim());
    expect(tested).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('its name is not known to DNS'),
    });
  });

  it('does not accept every response with status 200', async () => {
    const host = await serve((_, response) => response.end('<html>Welcome</html>'));
    await tollgate.json(`provider add --name page --dialect openai-chat --base-url http://${host}/v1`);
    for (const option of ['', ' --model m'])
      expect(await tollgate(`provider test page${option}`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is the base URL right?'),
      });
  });
});
