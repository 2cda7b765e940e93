import { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import type { Dialect } from '@tollgate/core/models/dialect';
import { DEFAULT_TIMEOUTS, type UpstreamRequest } from '@tollgate/upstreams/transport/transport';
import type { Model } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import { chatCompletionsEndpoint } from '../endpoints.ts';
import type { EncodedTerms } from '../pipeline/encoded-terms.ts';
import { Translator } from '../pipeline/translation.ts';

/** Smallest output limit that every provider accepts: the Responses API refuses less. */
export const CHECK_OUTPUT_TOKENS = 16;
/** About what the prompt has with any tokenizer, for providers that report no usage. */
export const CHECK_INPUT_TOKENS = 16;

const MEMBERS = { messages: [{ role: 'user', content: 'Answer with the one word: yes' }] };
const SENDER = { accountId: 'health check' };

/** Rates of the standard terms only. */
const PLAIN: EncodedTerms = {
  needs: [],
  policy: { forwardsUnknown: false, chargesMoney: true, maxToolCalls: null },
  hasUncountedTools: false,
  hasCompaction: false,
};

type CheckedEndpoint = typeof chatCompletionsEndpoint;

/** A route of a model with health checks, with one credential. */
export interface CheckedRoute {
  model: Model;
  route: Route;
  endpoint: CheckedEndpoint;
}

/** A small request in the dialect of a provider. */
export interface CheckRequest {
  upstream: UpstreamRequest;
  dialect: Dialect;
}

/** The endpoint at which the routes of the model are checked. @returns null if there is no check for the model */
export function findCheckedEndpoint(model: Model): CheckedEndpoint | null {
  return chatCompletionsEndpoint.checkModel(model) === null ? chatCompletionsEndpoint : null;
}

/** Writes the request of a health check as the api writes the requests of callers. */
export function buildCheck({ model, route, endpoint }: CheckedRoute, limitMs: number): Result<CheckRequest> {
  const end = endpoint.resolveEndpoint(route, MEMBERS);
  if (end === null) return deny('invalid_request', 'The provider has no endpoint for completions.');
  const body = Buffer.from(JSON.stringify({ model: model.id, ...MEMBERS }));
  const exchange = { header: () => null };
  const translator = new Translator({
    from: endpoint.dialect,
    body,
    prepared: null,
    model,
    key: SENDER,
    exchange,
  });
  const options = { outputLimit: CHECK_OUTPUT_TOKENS, isHeld: true, terms: PLAIN };
  const translated = translator.translate(route, end, options);
  if (!translated.ok) return translated;
  const connectMs = route.provider.kind === 'http' ? route.provider.timeouts?.connectMs : undefined;
  return {
    ok: true,
    value: {
      dialect: end.dialect,
      upstream: {
        origin: end.address?.origin ?? '',
        path: end.address?.path ?? '/chat/completions',
        headers: end.headers,
        body: translated.value.body,
        timeouts: {
          connectMs: Math.min(connectMs ?? DEFAULT_TIMEOUTS.connectMs, limitMs),
          firstByteMs: limitMs,
          idleMs: limitMs,
          totalMs: limitMs,
        },
      },
    },
  };
}
