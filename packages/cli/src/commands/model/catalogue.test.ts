import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate model and the catalogue', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('takes prices, including long input, and facts of a known model from the catalogue', async () => {
    expect(await tollgate.json('model add --id gpt-5.4')).toMatchObject({
      title: 'GPT-5.4',
      contextTokens: 1_050_000,
      maxOutputTokens: 128_000,
      capabilities: expect.arrayContaining(['vision', 'tools', 'reasoning']),
      price: {
        inputUsdPerMtok: '2.50',
        outputUsdPerMtok: '15.00',
        cacheReadUsdPerMtok: '0.25',
        cacheWriteUsdPerMtok: null,
        cacheWrite1hUsdPerMtok: null,
        longInput: {
          aboveInputTokens: 272_000,
          inputUsdPerMtok: '5.00',
          outputUsdPerMtok: '22.50',
          cacheReadUsdPerMtok: '0.50',
        },
      },
    });
    expect(await tollgate.json('model add --id gpt-5.4')).toMatchObject({ priceAdded: false });
  });

  it('prefers given prices over the catalogue', async () => {
    const typed = '--output-price 20 --context 1000 --title Mine --capabilities tools,vision';
    expect(await tollgate.json('model add --id gpt-5.5', ...typed.split(' '))).toMatchObject({
      title: 'Mine',
      contextTokens: 1_000,
      maxOutputTokens: 128_000,
      capabilities: ['tools', 'vision'],
      price: { inputUsdPerMtok: '5.00', outputUsdPerMtok: '20.00', longInput: null },
    });
  });

  it('requires prices for a model that is not in the catalogue', async () => {
    expect(await tollgate('model add --id nobodys-model --input-price 1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no model nobodys-model. Give --input-price and --output-price'),
    });
  });

  it('requires a preset if prices differ between presets', async () => {
    const add = 'model add --id llama-3.3-70b-instruct';
    expect(await tollgate(add)).toMatchObject({ code: 1, stderr: expect.stringContaining('groq, together') });
    expect(await tollgate.json(`${add} --preset together`)).toMatchObject({
      price: { inputUsdPerMtok: '0.88' },
    });
    expect(await tollgate(`${add} --preset missing`)).toMatchObject({ code: 1 });
  });

  it('rejects an unknown capability', async () => {
    expect(await tollgate('model add --id gpt-4o --capabilities telepathy')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--capabilities: must be one or more of vision,'),
    });
  });

  it('lists the catalogue', async () => {
    const { stdout } = await tollgate('model catalogue --preset anthropic');
    expect(stdout).toMatch(/^claude-sonnet-4-5 +anthropic +\$3\.00 +\$15\.00 +200,000 +64,000 +2026-11-30$/m);
    expect(stdout).not.toContain('gpt-');
    const all = await tollgate.json('model catalogue');
    expect(all).toMatchObject({
      models: expect.arrayContaining([
        expect.objectContaining({
          id: 'gpt-oss-120b',
          preset: 'groq',
          upstreamModel: 'openai/gpt-oss-120b',
          price: expect.objectContaining({ inputUsdPerMtok: '0.15' }),
        }),
      ]),
    });
  });

  it('adds the models of a preset with routes to their upstream models', async () => {
    await tollgate.json('model add --id kimi-k2-instruct-0905 --preset fireworks');
    const added = await tollgate.json('provider add --preset groq --with-models --api-key k');
    expect(added).toMatchObject({
      name: 'groq',
      models: expect.arrayContaining([
        { id: 'gpt-oss-120b', created: true, routed: true, otherPrices: false },
        { id: 'kimi-k2-instruct-0905', created: false, routed: true, otherPrices: true },
      ]),
    });
    expect(await tollgate.json('route list')).toMatchObject({
      routes: expect.arrayContaining([
        expect.objectContaining({ model: 'gpt-oss-120b', upstreamModel: 'openai/gpt-oss-120b' }),
      ]),
    });
    const { stdout } = await tollgate('provider add --preset together --with-models --api-key k');
    expect(stdout).toContain('Added 3 models, and 2 routes to existing models.');
    const unknown = await tollgate('provider add --preset ollama --with-models');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no models of ollama') });
    expect((await tollgate('provider list')).stdout).not.toContain('ollama');
  });
});
