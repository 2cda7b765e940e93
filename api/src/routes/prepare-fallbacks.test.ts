/** A large body is translated in threads also for the fallback models of its model. */
import { Buffer } from 'node:buffer';
import { hashApiKeyHex } from '@tollgate/auth/api-key';
import { systemClock } from '@tollgate/core/runtime/clock';
import { afterAll, expect, it } from 'vitest';
import { createFallbackGateway } from '../../test/routing/fallback-gateway.ts';
import { chatCompletionsEndpoint } from '../endpoints.ts';
import { checkKeyHash } from '../keys/check-key.ts';
import { BodyBudget } from '../request-body/body-budget.ts';
import { BodyWorkers } from '../request-body/worker/body-workers.ts';
import { prepareLargeBody } from './prepare-large.ts';

const MIB = 1024 * 1024;
const gateway = await createFallbackGateway();
const bodyWorkers = new BodyWorkers({ threads: 1, timeLimitMs: 60_000, maxHeapMib: 512 });
afterAll(async () => {
  await bodyWorkers.close();
  await gateway[Symbol.asyncDispose]();
});

it.each<[string, { header?: string; isScoped?: boolean }, boolean]>([
  ['all are allowed', {}, true],
  ['it is allowed', { header: 'FALLBACK' }, true],
  ['none is allowed', { header: 'none' }, false],
  ['another one is allowed', { header: 'other' }, false],
  ['the key may not use it', { isScoped: true }, false],
])('is prepared for a fallback model if %s', async (_, { header, isScoped = false }, isPrepared) => {
  const model = await gateway.addModel();
  const fallback = await gateway.addModel({ provider: 'claude' });
  await gateway.addFallback(model, fallback);
  const value = header?.replace('FALLBACK', fallback) ?? null;
  const secret = await gateway.createKey(isScoped ? { allowedModels: [model] } : {});
  const key = await checkKeyHash(hashApiKeyHex(secret), gateway.api.deps.keys, systemClock);
  if (!key.ok) throw new Error(key.error.message);
  const text = JSON.stringify({ model, messages: [{ role: 'user', content: 'x'.repeat(1_000) }] });
  const body = Buffer.allocUnsafeSlow(text.length);
  body.write(text);
  const read = await prepareLargeBody(
    { bodyWorkers, catalogue: gateway.api.deps.catalogue },
    {
      spec: chatCompletionsEndpoint,
      key: key.value,
      exchange: { header: () => value, isDisconnected: false, startedAtMs: Date.now() },
      reservation: new BodyBudget(MIB).open(key.value.accountId),
      body,
    },
  );
  if (read?.ok !== true) throw new Error('The body could not be prepared');
  const targets = read.value.prepared?.translations.map(({ target }) => target.upstreamModel) ?? [];
  expect(targets).toEqual(isPrepared ? [`upstream-of-${fallback}`] : []);
});
