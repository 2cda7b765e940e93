import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

const addedSchema = z.looseObject({ id: z.string(), added: z.array(z.string()) });
/** Each has a price. */
const modelsSchema = z.object({
  models: z.array(z.looseObject({ id: z.string(), price: z.looseObject({}) })),
});
const routesSchema = z.object({
  routes: z.array(z.looseObject({ model: z.string(), upstreamModel: z.string() })),
});

describe('tollgate pattern', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    await database.db.sql`INSERT INTO providers (id, name, dialect, base_url, preset) VALUES
      ('prov_1', 'anthropic', 'anthropic-messages', 'https://one.example/v1', 'anthropic'),
      ('prov_2', 'custom', 'openai-chat', 'https://two.example/v1', NULL)`;
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('adds the models of the catalogue, lists the pattern, and removes both', async () => {
    expect((await tollgate('pattern list')).stdout).toContain('No patterns yet');
    const added = addedSchema.parse(
      await tollgate.json(
        'pattern add --provider anthropic --pattern anthropic/* --strip anthropic/ --priority 2',
      ),
    );
    expect(added).toMatchObject({ pattern: 'anthropic/*', provider: 'anthropic', strip: 'anthropic/' });
    expect(added.added.length).toBeGreaterThan(3);
    expect(added.added.every((id) => id.startsWith('anthropic/claude-'))).toBe(true);
    const { models } = modelsSchema.parse(await tollgate.json('model list'));
    expect(models.map(({ id }) => id)).toEqual(added.added.toSorted());
    const { routes } = routesSchema.parse(await tollgate.json('route list'));
    for (const { model, upstreamModel } of routes) expect(model).toBe(`anthropic/${upstreamModel}`);
    expect((await tollgate('pattern list')).stdout).toMatch(
      /anthropic\/\* +anthropic +anthropic\/ +2 +1 +\d+/,
    );
    expect(await tollgate.json(`pattern remove ${added.id}`)).toMatchObject({ added: [] });
    expect(await tollgate.json('model list')).toEqual({ models: [] });
  });

  it.each([
    ['add --provider custom --pattern gpt-*', 1, 'no preset'],
    ['add --provider none --pattern gpt-*', 1, 'none does not exist'],
    ['add --provider anthropic --pattern gpt-5', 2, 'an asterisk'],
    ['add --provider anthropic --pattern *', 2, 'an asterisk'],
    ['add --provider anthropic --pattern a*b*', 2, 'an asterisk'],
    ['add --provider anthropic --pattern a/* --strip b/', 2, '--strip: must be the beginning'],
    ['remove pattern_none', 1, 'does not exist'],
  ])('rejects `pattern %s`', async (args, code, message) => {
    const failed = await tollgate(`pattern ${args}`);
    expect(failed).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
