import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenApiDocument } from '../openapi/document.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createHarness, type Harness } from '../../test/gateway-fixture.ts';

const CONSOLE = 'https://console.example';

describe.each(['node', 'web'] as const)('the API docs page on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  let origin: string;
  beforeAll(async () => {
    harness = await createHarness();
    api = await startTestApi({ db: harness.database.db, runtime, consoleUrl: CONSOLE });
    origin = api.baseUrl.replace(/\/v1$/, '');
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  it('the API description is public', async () => {
    const response = await fetch(`${origin}/openapi.json`);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    // A browser refuses a response that allows two origins.
    const fromConsole = await fetch(`${origin}/openapi.json`, { headers: { origin: CONSOLE } });
    expect(fromConsole.headers.get('access-control-allow-origin')).toBe('*');
    await fromConsole.body?.cancel();
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument())));
  });

  it('loads nothing from other origins, and enforces that by its policy', async () => {
    const response = await fetch(`${origin}/docs`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|unsafe-eval/);
    const html = await response.text();
    expect(html).not.toMatch(/\/\/[\w.-]+\.\w/);
    expect(html).not.toContain('<script>');
  });

  it('names its files by their content, so that browsers cache them', async () => {
    const page = await fetch(`${origin}/docs`);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const references = [...(await page.text()).matchAll(/"(docs\/[^"]+)"/g)].map(
      ([, reference]) => reference,
    );
    expect(references).toHaveLength(4);
    for (const reference of references) {
      const file = await fetch(`${origin}/${reference}`);
      expect([reference, file.status]).toEqual([reference, 200]);
      expect(file.headers.get('content-type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
      expect(file.headers.get('cache-control')).toContain('immutable');
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
      const older = await fetch(`${origin}/${reference?.replace(/v=.*/, 'v=older')}`);
      expect(older.headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('compresses files only for clients that accept it', async () => {
    const url = `${origin}/docs/swagger-ui-bundle.js`;
    const packed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.headers.get('content-length') ?? 0)).toBeLessThan(600_000);
    const text = await packed.text();
    for (const encoding of ['identity', 'gzip;q=0', 'br']) {
      const plain = await fetch(url, { headers: { 'accept-encoding': encoding } });
      expect([encoding, plain.headers.get('content-encoding')]).toEqual([encoding, null]);
      expect((await plain.text()) === text).toBe(true);
    }
  });
});
