import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../../../test/gateway-fixture.ts';

const CONSOLE = 'http://127.0.0.1:3000';
const APP = 'https://app.example.com';

describe.each(['node', 'web'] as const)('pages that call the api on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    api = await startTestApi({ db: harness.database.db, runtime, consoleUrl: CONSOLE });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });
  const call = (path: string, method: string, origin: string | null) =>
    fetch(`${api.baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(origin === null ? {} : { origin }) },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });

  it.each(['/chat/completions', '/messages', '/v1/messages', '/embeddings', '/models', '/nowhere'])(
    'lets the console read the responses of %s, including refusals',
    async (path) => {
      for (const origin of [CONSOLE, 'http://localhost:3000']) {
        const answer = await call(path, path === '/models' ? 'GET' : 'POST', origin);
        expect(answer.status).toBe(401);
        expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
        expect(answer.headers.get('access-control-expose-headers')).toBe('*');
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      }
    },
  );

  it.each(['https://elsewhere.example', 'http://127.0.0.1:3001', 'null', null])(
    'lets no page of %s read a response',
    async (origin) => {
      for (const method of ['POST', 'OPTIONS']) {
        const answer = await call('/chat/completions', method, origin);
        const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect([method, names]).toEqual([method, []]);
      }
    },
  );

  it('answers preflight requests of the console with the allowed headers', async () => {
    const answer = await call('/messages', 'OPTIONS', CONSOLE);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(CONSOLE);
    const allowed = answer.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'anthropic-version']));
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
  });
});

describe.each(['node', 'web'] as const)('pages of CORS_ORIGINS on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    const corsOrigins = [APP, 'http://localhost:5173'];
    api = await startTestApi({ db: harness.database.db, runtime, consoleUrl: CONSOLE, corsOrigins });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });
  const complete = (origin: string, more: object = {}) =>
    fetch(`${api.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.secret}`, 'content-type': 'application/json', origin },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }], ...more }),
    });

  it.each([{}, { stream: true }])('can read responses and their headers (%o)', async (more) => {
    for (const origin of [APP, 'http://localhost:5173', CONSOLE]) {
      const answer = await complete(origin, more);
      await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      // Includes x-request-id, x-tollgate-cost and x-ratelimit-…: `*` is every header of a request without credentials.
      expect(answer.headers.get('access-control-expose-headers')).toBe('*');
      expect(answer.headers.get('vary')).toBe('origin');
    }
  });

  it('get an answer to preflight requests with the headers of an SDK, without a key', async () => {
    const answer = await fetch(`${api.baseUrl}/messages`, {
      method: 'OPTIONS',
      headers: {
        origin: APP,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'anthropic-version,content-type,x-api-key,x-stainless-os',
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
    expect(answer.headers.get('access-control-allow-headers')).toContain('x-stainless-os');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });

  it.each(['http://app.example.com', 'https://app.example.com:8443', 'https://evil.example', 'null'])(
    'do not include those of %s',
    async (origin) => {
      const answer = await complete(origin);
      await answer.text();
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    },
  );
});
