import type { Result } from '@tollgate/core/errors/errors';
import type { ApiDeps } from '../deps.ts';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import {
  chatCompletionsEndpoint,
  messagesEndpoint,
  responsesEndpoint,
  type EndpointSpec,
} from '../endpoints.ts';
import { authenticate } from '../keys/authenticate.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { answerCompletion } from '../routes/completions.ts';
import { allowOrigin } from '../middleware/cross-origin/cross-origin.ts';

const ENDPOINTS = new Map(
  [chatCompletionsEndpoint, messagesEndpoint, responsesEndpoint].flatMap((spec) => [
    [spec.endpoint, spec],
    // Anthropic's SDK appends /v1 to a base URL that already has it.
    [`/v1${spec.endpoint}`, spec],
  ]),
);

/**
 * The most latency-critical endpoints by path, served without the framework: the same steps as in `app.ts`, which serves
 * them on the other runtimes.
 */
export function createRawRoutes(deps: ApiDeps): ReadonlyMap<string, (exchange: Exchange) => void> {
  const answer = (spec: EndpointSpec) => (exchange: Exchange) => {
    allowOrigin(exchange, deps.isAllowedOrigin);
    const checked = authenticate(exchange, deps);
    // Cached keys are used without waiting.
    if (checked instanceof Promise) void checked.then((found) => answerFound(deps, spec, exchange, found));
    else answerFound(deps, spec, exchange, checked);
  };
  return new Map([...ENDPOINTS].map(([path, spec]) => [path, answer(spec)]));
}

function answerFound(deps: ApiDeps, spec: EndpointSpec, exchange: Exchange, found: Result<CachedKey>): void {
  if (found.ok) void answerCompletion(deps, spec, exchange, found.value);
  else sendError(exchange, spec.dialect, found.error);
}
