import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiDeps } from '../deps.ts';
import { sendError } from '../errors/send-error.ts';
import {
  chatCompletionsEndpoint,
  messagesEndpoint,
  responsesEndpoint,
  type EndpointSpec,
} from '../endpoints.ts';
import { authenticate } from '../keys/authenticate.ts';
import { answerCompletion } from '../routes/completions.ts';
import { allowOrigin } from '../middleware/cross-origin/cross-origin.ts';
import { NodeExchange } from './node-exchange.ts';

const ENDPOINTS = new Map(
  [chatCompletionsEndpoint, messagesEndpoint, responsesEndpoint].flatMap((spec) => [
    [spec.endpoint, spec],
    // Anthropic's SDK appends /v1 to a base URL that already has it.
    [`/v1${spec.endpoint}`, spec],
  ]),
);

/**
 * Serves the most latency-critical endpoints without the framework: the same steps as in `app.ts`, which serves them on
 * the other runtimes.
 * @returns false if the request is for the framework
 */
export function answerRaw(deps: ApiDeps, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  if (incoming.method !== 'POST') return false;
  const url = incoming.url ?? '';
  const query = url.indexOf('?');
  const spec = ENDPOINTS.get(query < 0 ? url : url.slice(0, query));
  if (spec === undefined) return false;
  const exchange = new NodeExchange(incoming, outgoing);
  allowOrigin(exchange, deps.isAllowedOrigin);
  void answerEndpoint(deps, spec, exchange);
  return true;
}

async function answerEndpoint(deps: ApiDeps, spec: EndpointSpec, exchange: NodeExchange): Promise<void> {
  const checked = authenticate(exchange, deps);
  // Cached keys are used without waiting.
  const found = checked instanceof Promise ? await checked : checked;
  if (found.ok) await answerCompletion(deps, spec, exchange, found.value);
  else sendError(exchange, spec.dialect, found.error);
}
