import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApp } from '../app.ts';
import { DOCS_ROUTES } from '../docs/docs-routes.ts';
import { openWebExchange } from '../runtime/web.ts';
import { get } from '../testing/call-api.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createHarness, type Harness } from '../../test/gateway-fixture.ts';
import { createOpenApiDocument } from './document.ts';
import { getSchema } from './document-schemas.fixture.ts';
import { ERROR_CODES } from './schemas/error.ts';
import { keySchema } from './schemas/key.ts';

const contentSchema = z.object({
  content: z.object({
    'application/json': z.object({
      schema: z.object({ $ref: z.string() }),
      example: z.unknown().optional(),
      examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
    }),
  }),
});
const mediaSchema = z.object({
  requestBody: contentSchema.optional(),
  responses: z.record(z.string(), contentSchema),
});

const document = createOpenApiDocument();
const paths = Object.entries(document.paths ?? {});

describe('the API description', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('lists every error code in some response', () => {
    const text = JSON.stringify(paths);
    const listed = ERROR_CODES.filter((code) => text.includes(`"${code}`));
    // No endpoint of the document returns these.
    expect([...listed, 'route_not_found', 'websocket_not_supported'].toSorted()).toEqual(
      ERROR_CODES.toSorted(),
    );
  });

  it('has only examples that match their schema', () => {
    const examples = Object.values(document.paths ?? {}).flatMap(({ post }) => {
      if (post === undefined) return [];
      const { requestBody, responses } = mediaSchema.parse(post);
      const described = requestBody === undefined ? [] : [requestBody];
      return [...described, ...Object.values(responses)].flatMap(
        ({ content }) => content['application/json'],
      );
    });
    expect(examples.length).toBeGreaterThan(20);
    for (const { schema, example, examples: named } of examples) {
      const validate = getSchema(schema.$ref.replace('#/components/schemas/', ''));
      for (const value of [example, ...Object.values(named ?? {}).map((each) => each.value)]) {
        if (value === undefined) continue;
        validate(value);
        expect([value, validate.errors]).toEqual([value, null]);
      }
    }
  });

  it('contains no local path and no placeholder', () => {
    expect(JSON.stringify(document)).not.toMatch(/file:|TODO|undefined/);
  });
});

describe('the API description, compared with the running api,', () => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    api = await startTestApi({ db: harness.database.db, runtime: 'node' });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  it('describes exactly the existing routes', () => {
    const routes = createApp(api.deps, openWebExchange)
      .routes.filter(({ method, path }) => method !== 'ALL' && !DOCS_ROUTES.has(path))
      // The framework has no routes of HEAD.
      .map(({ method, path }) =>
        [path === '/' ? 'HEAD' : method, path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')].join(' '),
      );
    const described = paths.flatMap(([path, item]) =>
      ['get', 'head', 'post', 'put', 'patch', 'delete']
        .filter((method) => method in item)
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  it('has exactly the members of a key', async () => {
    const { secret } = await harness.createKey({ rpm: 10, maxBudgetUsd: '5' });
    const answer: unknown = await (await get(`${api.baseUrl}/key`, { secret })).json();
    expect(keySchema.parse(answer)).toEqual(answer);
  });
});
