import { createServer, type Server } from 'node:http';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate } from '../testing/run-tollgate.ts';

const reportSchema = z.object({
  ok: z.boolean(),
  checks: z.array(
    z.object({ name: z.string(), status: z.string(), detail: z.string(), fix: z.string().nullable() }),
  ),
});

describe('tollgate doctor', () => {
  let database: TestDatabase;
  let healthy: Server;
  let ports: { api: number; console: number };
  let readiness: { status: string; checks: Record<string, string> };
  beforeAll(async () => {
    database = await createTestDatabase();
    ports = { api: await findFreePort(), console: await findFreePort() };
    healthy = createServer((_, response) => {
      response.statusCode = readiness.status === 'unavailable' ? 503 : 200;
      response.end(JSON.stringify(readiness));
    }).listen(ports.api, '127.0.0.1');
  });
  afterAll(async () => {
    healthy.close();
    await database[Symbol.asyncDispose]();
  });

  beforeEach(() => {
    readiness = { status: 'ready', checks: { database: 'ok' } };
  });

  const examine = async (variables: Record<string, string>) => {
    const tollgate = createTollgate({
      DATABASE_URL: database.url,
      API_PORT: String(ports.api),
      CONSOLE_PORT: String(ports.console),
      ...variables,
    });
    const { code, stdout } = await tollgate('doctor --json');
    const { ok, checks } = reportSchema.parse(JSON.parse(stdout));
    return { code, ok, checks: new Map(checks.map((check) => [check.name, check])) };
  };

  it('finds nothing wrong where nothing is', async () => {
    const { code, ok, checks } = await examine({});
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(checks.get('Database')?.detail).toMatch(/^PostgreSQL \d+\.\d+ \(DATABASE_URL\)$/);
    expect(checks.get('API')?.detail).toBe(`running on 127.0.0.1:${ports.api} and ready`);
    expect(checks.get('Disk')?.detail).toMatch(/GiB free/);
    expect(checks.get('Console')?.detail).toBe(`not running; 127.0.0.1:${ports.console} is free`);
  });

  it('does not take the services of another installation for its own', async () => {
    const empty = createTollgate({
      DATA_DIR: '/tmp/tollgate-no-such-folder',
      API_PORT: String(ports.api),
      CONSOLE_PORT: String(ports.console),
    });
    const { checks } = reportSchema.parse(JSON.parse((await empty('doctor --json')).stdout));
    expect(checks.find(({ name }) => name === 'API')).toMatchObject({
      status: 'warn',
      detail: `another installation answers on 127.0.0.1:${ports.api}`,
    });
  });

  it('shows what a running service says about itself', async () => {
    readiness = { status: 'degraded', checks: { database: 'ok', disk: 'low: 0.1 GiB free' } };
    expect((await examine({})).checks.get('API')).toMatchObject({
      status: 'warn',
      detail: `running on 127.0.0.1:${ports.api} (disk: low: 0.1 GiB free)`,
    });
    readiness = { status: 'unavailable', checks: { database: 'down' } };
    expect(await examine({})).toMatchObject({ code: 1, ok: false });
  });

  it('warns of a database that can lose what it confirmed', async () => {
    // The databases of tests are not meant to survive: the server's own settings are off.
    const { code, checks } = await examine({});
    expect(code).toBe(0);
    expect(checks.get('Durability')).toEqual({
      name: 'Durability',
      status: 'warn',
      detail: 'fsync, full_page_writes off: a crash of the server can lose what was paid and spent',
      fix: 'switch them on in the settings of PostgreSQL',
    });
  });

  it('fails for a database that is not there, and says what to do', async () => {
    const { code, checks } = await examine({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(code).toBe(1);
    expect(checks.get('Database')).toMatchObject({
      status: 'fail',
      fix: 'check DATABASE_URL and that the server is up',
    });
  });

  it('fails for an ENCRYPTION_KEY that is no key, and for one that opens nothing', async () => {
    const bad = await examine({ ENCRYPTION_KEY: 'short' });
    expect(bad.checks.get('ENCRYPTION_KEY')).toMatchObject({ status: 'fail' });
    await createTollgate({ DATABASE_URL: database.url })(
      'provider add --name p --dialect openai-chat --base-url http://127.0.0.1:9/v1 --api-key secret',
    );
    const other = await examine({});
    expect(other.checks.get('Credentials')).toMatchObject({
      status: 'fail',
      detail: 'do not open with this key: p',
    });
  });
});
