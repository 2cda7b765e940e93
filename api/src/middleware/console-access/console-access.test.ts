import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';
import { createStage, type Stage } from '../../../test/gateway-fixture.ts';

const CONSOLE = 'http://127.0.0.1:3000';

describe.each(['node', 'web'] as const)('pages that call the api on the %s runtime', (runtime) => {
  let stage: Stage;
  let api: TestApi;
  beforeAll(async () => {
    stage = await createStage();
    api = await startTestApi({ db: stage.database.db, runtime, consoleUrl: CONSOLE });
  });
  afterAll(async () => {
    await api.close();
    await stage[Symbol.asyncDispose]();
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
