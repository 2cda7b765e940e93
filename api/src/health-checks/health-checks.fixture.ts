import { Buffer } from 'node:buffer';
import { DEFAULT_ROUTING } from '@tollgate/core/models/routing-policy';
import type { HealthCheckCount } from '@tollgate/db/queries/health-checks/health-checks';
import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import { ProviderConcurrency } from '@tollgate/upstreams/routing/provider-concurrency';
import { RouteBreakers } from '@tollgate/upstreams/routing/route-breakers';
import {
  joinBody,
  type UpstreamListener,
  type UpstreamRequest,
  type UpstreamTimeouts,
} from '@tollgate/upstreams/transport/transport';
import { pino } from 'pino';
import { vi } from 'vitest';
import type { Model } from '../catalogue/catalogue.ts';
import { getProviderEndpoints, toRoute, type Route } from '../catalogue/route.ts';
import type { UpstreamState } from '../pipeline/upstream-state.ts';
import { CheckTally } from './check-tally.ts';
import { HealthChecks } from './health-checks.ts';
import { ServedRoutes } from './served-routes.ts';

const INTERVAL_MS = 10_000;
export const ANSWER = { choices: [{ index: 0, message: { role: 'assistant', content: 'yes' } }] };

interface Added {
  maxConcurrency?: number;
  capabilities?: Model['capabilities'];
  isPriced?: boolean;
  intervalS?: number;
}

/** A model with one route, whose provider has two credentials. */
export function createModel(id: string, added: Added = {}): Model {
  const {
    maxConcurrency = null,
    capabilities = [],
    isPriced = true,
    intervalS = INTERVAL_MS / 1_000,
  } = added;
  const timeouts = {
    connectTimeoutMs: 30_000,
    firstByteTimeoutMs: null,
    idleTimeoutMs: null,
    totalTimeoutMs: null,
  };
  const provider = createHttpProvider(
    {
      id,
      name: id,
      preset: null,
      dialect: 'openai-chat',
      baseUrl: 'http://127.0.0.1:1/v1',
      settings: {},
      maxConcurrency,
      ...timeouts,
    },
    { kind: 'api-key', apiKey: 'k', headers: {} },
  );
  const credentialed = ['first', 'second'].map((label) => ({
    provider,
    endpoints: getProviderEndpoints(provider),
    credential: { id: label === 'first' ? id : label, label, version: 1, setAsideAtMs: null },
    weight: 1,
  })) as unknown as Parameters<typeof toRoute>[1];
  const row = { id: `route_${id}`, modelId: id, upstreamModel: null, servedNames: [], costPpm: 1_000_000 };
  const price = { id: 1, effectiveFromMs: 0, inputNanoUsdPerMtok: 1_000_000n, outputNanoUsdPerMtok: 0n };
  return {
    id,
    capabilities,
    contextTokens: null,
    maxOutputTokens: null,
    routing: { ...DEFAULT_ROUTING, healthCheckIntervalS: intervalS },
    prices: isPriced ? [price] : [],
    routes: [toRoute(row as unknown as Parameters<typeof toRoute>[0], credentialed)],
  } as unknown as Model;
}

interface Sent {
  model: string;
  timeouts: UpstreamTimeouts | null | undefined;
  listener: UpstreamListener;
  isAborted: boolean;
}

/** Health checks whose requests the test answers. Only the first credential of a provider is usable. */
export function openChecks(...models: Model[]) {
  const sent: Sent[] = [];
  const stored: HealthCheckCount[] = [];
  const transport = {
    send: ({ body, timeouts }: UpstreamRequest, listener: UpstreamListener) => {
      const { model } = JSON.parse(joinBody(body).toString()) as { model: string };
      const call: Sent = { model, timeouts, listener, isAborted: false };
      sent.push(call);
      return { isSent: true, abort: () => (call.isAborted = true) };
    },
  };
  const clock = { nowMs: () => Date.now() };
  const served = new ServedRoutes();
  const breakers = new RouteBreakers(clock, { failures: 1, openMs: 5_000 });
  const concurrency = new ProviderConcurrency();
  const usable = vi.fn<(routes: readonly Route[]) => Route[]>((routes) => routes.slice(0, 1));
  const catalogue = { current: new Map(models.map((model) => [model.id, model])) };
  const log = pino({ enabled: false });
  const store = async (counts: readonly HealthCheckCount[]) => void stored.push(...counts);
  const checks = new HealthChecks({
    clock,
    log,
    catalogue,
    tally: new CheckTally({ store, log }),
    upstreams: {
      breakers,
      served,
      concurrency,
      credentials: { usable },
      transports: { of: () => transport },
    } as unknown as UpstreamState,
  });
  checks.start();
  const answer = (status = 200, body: object = ANSWER) => {
    for (const { listener } of sent) {
      listener.onStart(status, () => null);
      const chunk = Buffer.from(JSON.stringify(body));
      listener.onData(chunk);
      // Transports use their buffers again.
      chunk.fill(0);
      listener.onEnd();
    }
  };
  /** Answers all checks, and lets their results be noted. */
  const settle = async (...answered: Parameters<typeof answer>) => {
    answer(...answered);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const listModels = () => sent.map(({ model }) => model);
  return {
    checks,
    sent,
    stored,
    usable,
    served,
    breakers,
    concurrency,
    catalogue,
    answer,
    settle,
    models: listModels,
  };
}
