import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { get } from '../testing/call-api.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';

describe('GET /readyz', () => {
  let database: TestDatabase;
  let api: TestApi;
  beforeAll(async () => {
    database = await createTestDatabase();
    api = await startTestApi({ db: database.db, runtime: 'node' });
  });
  afterAll(async () => {
    await api.close();
    await database[Symbol.asyncDispose]();
  });

  const readiness = async () => {
    const response = await get(api.baseUrl.replace('/v1', '/readyz'));
    return { code: response.status, body: await response.json() };
  };

  it('answers 200 if all is well', async () => {
    expect(await readiness()).toMatchObject({ code: 200, body: { checks: { database: 'ok' } } });
  });

  it('reports "degraded", and still answers 200, while Redis is unavailable', async () => {
    vi.spyOn(api.deps.limits, 'health').mockReturnValue('degraded');
    expect(await readiness()).toMatchObject({ code: 200, body: { status: 'degraded' } });
  });

  it('answers 503 while the database does not answer', async () => {
    vi.spyOn(api.deps.db.drizzle, 'execute').mockRejectedValue(new Error('The server is down'));
    expect(await readiness()).toMatchObject({
      code: 503,
      body: { status: 'unavailable', checks: { database: 'down' } },
    });
  });

  it('answers 503 while settlements cannot be written', async () => {
    const { health } = api.deps.ledger;
    vi.spyOn(api.deps.ledger, 'health', 'get').mockReturnValue({ ...health, isWritable: false });
    expect(await readiness()).toMatchObject({ code: 503, body: { status: 'unavailable' } });
  });

  it('answers 503 while the process drains', async () => {
    vi.spyOn(api.deps, 'isDraining').mockReturnValue(true);
    expect(await readiness()).toMatchObject({ code: 503, body: { status: 'draining' } });
  });
});
