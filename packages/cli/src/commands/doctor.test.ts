import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

  it('reports no problems for a working installation', async () => {
    const { code, ok, checks } = await examine({});
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(checks.get('Database')?.detail).toMatch(/^PostgreSQL \d+\.\d+ \(DATABASE_URL\)$/);
    expect(checks.get('API')?.detail).toBe(`running on 127.0.0.1:${ports.api} and ready`);
    expect(checks.get('Disk')?.detail).toMatch(/GiB free/);
    expect(checks.get('Console')?.detail).toBe(`not running; 127.0.0.1:${ports.console} is free`);
  });

  it('recognizes services of another installation', async () => {
    const empty = createTollgate({
      DATA_DIR: path.join(tmpdir(), 'tollgate-absent-folder'),
      API_PORT: String(ports.api),
      CONSOLE_PORT: String(ports.console),
    });
    const { checks } = reportSchema.parse(JSON.parse((await empty('doctor --json')).stdout));
    expect(checks.find(({ name }) => name === 'API')).toMatchObject({
      status: 'warn',
      detail: `another installation uses 127.0.0.1:${ports.api}`,
    });
  });

  it('shows the reported state of a running service', async () => {
    readiness = { status: 'degraded', checks: { database: 'ok', disk: 'low: 0.1 GiB free' } };
    expect((await examine({})).checks.get('API')).toMatchObject({
      status: 'warn',
      detail: `running on 127.0.0.1:${ports.api} (disk: low: 0.1 GiB free)`,
    });
    readiness = { status: 'unavailable', checks: { database: 'down' } };
    expect(await examine({})).toMatchObject({ code: 1, ok: false });
  });

  it('warns about a database that can lose committed data', async () => {
    // Test databases run with durability settings off.
    const { code, checks } = await examine({});
    expect(code).toBe(0);
    expect(checks.get('Durability')).toEqual({
      name: 'Durability',
      status: 'warn',
      detail: 'fsync, full_page_writes off; a server crash can lose payments and usage',
      fix: 'turn them on in the PostgreSQL configuration',
    });
  });

  it('fails for a missing database and says what to do', async () => {
    const { code, checks } = await examine({ DATABASE_URL: 'postgres://missing@127.0.0.1:1/none' });
    expect(code).toBe(1);
    expect(checks.get('Database')).toMatchObject({
      status: 'fail',
      fix: 'check DATABASE_URL and that the server is running',
    });
  });

  it('fails for an invalid and for a wrong ENCRYPTION_KEY', async () => {
    const bad = await examine({ ENCRYPTION_KEY: 'short' });
    expect(bad.checks.get('ENCRYPTION_KEY')).toMatchObject({ status: 'fail' });
    await createTollgate({ DATABASE_URL: database.url })(
      'provider add --name p --dialect openai-chat --base-url http://127.0.0.1:9/v1 --api-key secret',
    );
    const other = await examine({});
    expect(other.checks.get('Credentials')).toMatchObject({
      status: 'fail',
      detail: 'cannot be decrypted with this key: p',
    });
  });
});
