import { afterAll, beforeEach, expect, it } from 'vitest';
import { createFakeProvider } from './fake-provider/create-fake-provider.ts';
import { createMeteredModel, markPrompt } from './fake-provider/metered-model.ts';
import { readMeter } from './provider-meter.ts';

const provider = await createFakeProvider();
afterAll(() => provider.close());
beforeEach(() => provider.reset());

const MAX_TOKENS = 100;

async function ask(
  marker: string,
  fields: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<string> {
  const messages = [{ role: 'user', content: markPrompt(marker) }];
  const response = await fetch(`${provider.origin}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'fake-model', max_tokens: MAX_TOKENS, messages, ...fields }),
    ...(signal && { signal }),
  });
  return response.text();
}

async function meter() {
  await Promise.all(provider.requests.map((record) => record.finished));
  return readMeter(provider.requests);
}

it('meters the same usage per prompt, never above the requested maximum', async () => {
  provider.always(createMeteredModel({ thinkMs: 0, pieces: 4, intervalMs: 0 }));
  const markers = Array.from({ length: 40 }, (_, index) => `call-${index % 20}`);
  await Promise.all(markers.map((marker, index) => ask(marker, { stream: index % 3 === 0 })));
  const outputs = new Map<string, Set<number>>();
  for (const { marker, usage, isWhole } of await meter()) {
    expect(isWhole).toBe(true);
    outputs.set(marker, (outputs.get(marker) ?? new Set()).add(usage?.outputTokens ?? -1));
  }
  const values = [...outputs.values()].map((set) => [...set]);
  expect(values.every((each) => each.length === 1)).toBe(true);
  const tokens = values.flat();
  expect(Math.min(...tokens)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...tokens)).toBeLessThanOrEqual(0.9 * MAX_TOKENS);
  expect(new Set(tokens).size).toBeGreaterThan(10);
});

it('reports its progress when the client disconnects', async () => {
  provider.always(createMeteredModel({ thinkMs: 0, pieces: 50, intervalMs: 20 }));
  await expect(ask('leaves', { stream: true }, AbortSignal.timeout(200))).rejects.toThrow(/abort/);
  const [left] = await meter();
  expect(left).toMatchObject({ marker: 'leaves', isWhole: false, usage: { outputTokens: 1 } });
  expect(left?.leftAfterMs).toBeGreaterThan(100);
});

it('stalls before the last piece of a stream', async () => {
  provider.always(() => ({ answer: { words: 3 }, stallAfterPieces: -1 }));
  await expect(ask('stalls', { stream: true }, AbortSignal.timeout(150))).rejects.toThrow(/abort/);
  const [stalled] = await meter();
  expect(stalled).toMatchObject({ isWhole: false, usage: { outputTokens: 3 } });
});

it('stalls before the last bytes of a body', async () => {
  provider.next({});
  const length = Buffer.byteLength(await ask('whole'));
  provider.next({ stallAfterBytes: -5 });
  await expect(ask('whole', {}, AbortSignal.timeout(150))).rejects.toThrow(/abort/);
  expect((await meter()).map(({ bytesSent }) => bytesSent)).toEqual([length, length - 5]);
});
