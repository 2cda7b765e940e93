import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { openWebExchange } from './runtime/web.ts';
import { startTestApi, type TestApi } from './testing/start-test-api.ts';

const PUBLIC_ROUTES = new Set(['GET /healthz', 'GET /readyz']);

describe('the route table', () => {
  let database: TestDatabase;
  let api: TestApi;
  beforeAll(async () => {
    database = await createTestDatabase();
    api = await startTestApi({ db: database.db, runtime: 'web' });
  });
  afterAll(async () => {
    await api.close();
    await database[Symbol.asyncDispose]();
  });

  it('answers 401 without a key on every route that is not public', async () => {
    const app = createApp(api.deps, openWebExchange);
    const routes = app.routes.filter((route) => route.method !== 'ALL');
    expect(routes.length).toBeGreaterThan(5);
    for (const { method, path } of routes) {
      const response = await app.request(path.replace(/:id.*/, 'x'), { method });
      const expected = PUBLIC_ROUTES.has(`${method} ${path}`) ? 200 : 401;
      expect([method, path, response.status]).toEqual([method, path, expected]);
    }
  });
});
