import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { DOCS_ROUTES } from '../../src/docs/docs-routes.ts';
import { openWebExchange } from '../../src/runtime/web.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness } from '../gateway-fixture.ts';

const PUBLIC_PATHS = ['/', '/healthz', '/readyz', ...DOCS_ROUTES.keys()];
/** Responds to HEAD only. */
const READABLE_PATHS = PUBLIC_PATHS.filter((path) => path !== '/');

const harness = await createHarness();
const api = await startTestApi({ db: harness.database.db, runtime: 'node' });
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const routes = createApp(api.deps, openWebExchange)
  .routes.filter((route) => route.method !== 'ALL')
  .map(({ method, path }) => ({ method, path: path.replace(/\{[^}]*\}/, '').replace(/:(\w+)/, '$1') }));
const origin = api.baseUrl.replace(/\/v1$/, '');

function call(route: { method: string; path: string }, headers: Record<string, string> = {}) {
  const body = route.method === 'POST' ? { body: '{}' } : {};
  return fetch(origin + route.path, { method: route.method, headers, ...body });
}

describe('every route of the api', () => {
  it('is known to this test', () => {
    expect(routes.length).toBeGreaterThanOrEqual(7);
    expect(routes.filter((route) => !route.path.startsWith('/v1/')).map((route) => route.path)).toEqual(
      PUBLIC_PATHS,
    );
  });

  const guarded = routes.filter((route) => !PUBLIC_PATHS.includes(route.path));
  it.each(guarded)('$method $path requires a key', async (route) => {
    for (const [headers, code] of [
      [{}, 'missing_api_key'],
      [{ authorization: 'Bearer nonsense' }, 'malformed_api_key'],
      [{ authorization: `Basic ${btoa('a:b')}` }, 'malformed_api_key'],
      [{ 'x-api-key': harness.secret.slice(0, -1) }, 'malformed_api_key'],
    ] as const) {
      const response = await call(route, headers);
      const body: unknown = await response.json();
      expect(response.status).toBe(401);
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      const isAnthropic = route.path.startsWith('/v1/messages');
      expect(body).toMatchObject({
        error: { type: 'authentication_error', ...(!isAnthropic && { code }) },
      });
    }
  });

  it.each(guarded)('$method /v1$path requires a key as well', async (route) => {
    expect((await call({ ...route, path: `/v1${route.path}` })).status).toBe(401);
  });

  it.each(PUBLIC_PATHS)('HEAD %s requires no key, and has no body', async (path) => {
    const response = await fetch(origin + path, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('does not serve GET /', async () => {
    const response = await call({ method: 'GET', path: '/' });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { code: 'route_not_found' } },
    ]);
  });

  it.each(READABLE_PATHS)('GET %s requires no key', async (path) => {
    expect((await call({ method: 'GET', path })).status).toBe(200);
  });

  it('reveals nothing about an unknown path under /v1 without a key', async () => {
    expect((await call({ method: 'GET', path: '/v1/secrets' })).status).toBe(401);
    const known = await call(
      { method: 'GET', path: '/v1/secrets' },
      { authorization: `Bearer ${harness.secret}` },
    );
    expect([known.status, await known.json()]).toMatchObject([404, { error: { code: 'route_not_found' } }]);
  });
});
