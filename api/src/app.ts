/**
 * The api: middleware order and route table. Dependencies come in through `deps`; every response goes out through the
 * request's exchange, raw on Node and web-standard elsewhere.
 */
import { Hono, type Context } from 'hono';
import { getPath } from 'hono/utils/url';
import { CompactingExchange } from './compaction/compacting-exchange.ts';
import type { AppEnv } from './app-env.ts';
import type { ApiDeps } from './deps.ts';
import { DOCS_ROUTES } from './docs/docs-routes.ts';
import { describeMissingRoute } from './errors/missing-route.ts';
import { dialectOfCaller, sendError } from './errors/send-error.ts';
import type { Exchange, OpenExchange } from './exchange.ts';
import { chatCompletionsEndpoint, messagesEndpoint, responsesEndpoint } from './endpoints.ts';
import type { CachedKey } from './keys/key-cache.ts';
import { createApiKeyAuth } from './middleware/api-key-auth/api-key-auth.ts';
import { createCrossOriginAccess } from './middleware/cross-origin/cross-origin.ts';
import { createExchangeMiddleware } from './middleware/exchange/exchange.ts';
import { BROKEN_GATEWAY } from './pipeline/upstream-failure.ts';
import { answerCompletion } from './routes/completions.ts';
import { countTokensEndpoint } from './routes/count-tokens.ts';
import { inputTokensEndpoint } from './routes/input-tokens.ts';
import { embeddingsEndpoint } from './routes/embeddings.ts';
import type { StoredRequest } from './routes/answer-stored.ts';
import { addConversationRoutes } from './routes/conversation-routes.ts';
import {
  answerCancel,
  answerInputItems,
  answerResponse,
  answerResponseDeletion,
} from './routes/stored-responses.ts';
import { answerHealth, answerReadiness, answerRoot } from './routes/health.ts';
import { refuseWebSocket } from './routes/refuse-websocket.ts';
import { answerKey } from './routes/key.ts';
import { answerModel, answerModelList } from './routes/models.ts';

/** @param open opens the runtime's requests: `openNodeExchange` or `openWebExchange` */
export function createApp(deps: ApiDeps, open: OpenExchange): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ getPath: singleV1Path });
  app.use(createExchangeMiddleware(open));
  // The framework looks up the routes of HEAD under GET.
  app.get('/', (c) =>
    c.get('exchange').method === 'HEAD' ? answered(c, (exchange) => answerRoot(exchange)) : c.notFound(),
  );
  app.get('/healthz', (c) => answered(c, (exchange) => answerHealth(exchange)));
  app.get('/readyz', (c) => answered(c, (exchange) => answerReadiness(deps, exchange)));
  for (const [path, answer] of DOCS_ROUTES) app.get(path, (c) => answered(c, answer));

  app.use('/v1/*', createCrossOriginAccess(deps.isAllowedOrigin));
  app.use('/v1/*', createApiKeyAuth(deps));
  app.use('/v1/responses', async (c, next) => refuseWebSocket(c.get('exchange')) ?? (await next()));
  app.post('/v1/chat/completions', (c) =>
    answered(c, (exchange, key) => answerCompletion(deps, chatCompletionsEndpoint, exchange, key)),
  );
  app.post('/v1/messages', (c) =>
    answered(c, (exchange, key) => answerCompletion(deps, messagesEndpoint, exchange, key)),
  );
  app.post('/v1/responses', (c) =>
    answered(c, (exchange, key) => answerCompletion(deps, responsesEndpoint, exchange, key)),
  );
  app.post('/v1/responses/input_tokens', (c) =>
    answered(c, (exchange, key) => answerCompletion(deps, inputTokensEndpoint, exchange, key)),
  );
  app.post('/v1/responses/compact', (c) =>
    answered(c, (exchange, key) => {
      const compacting = new CompactingExchange(exchange, deps.bodyWorkers);
      return answerCompletion(deps, responsesEndpoint, compacting, key, compacting);
    }),
  );
  const stored = (c: Context<AppEnv>, answer: (deps: ApiDeps, request: StoredRequest) => Promise<void>) =>
    answered(c, (exchange, key) => answer(deps, { exchange, key, id: c.req.param('id') ?? '' }));
  app.get('/v1/responses/:id', (c) => stored(c, answerResponse));
  app.delete('/v1/responses/:id', (c) => stored(c, answerResponseDeletion));
  app.get('/v1/responses/:id/input_items', (c) => stored(c, answerInputItems));
  app.post('/v1/responses/:id/cancel', (c) => stored(c, answerCancel));
  addConversationRoutes(app, deps, answered);
  app.post('/v1/messages/count_tokens', (c) =>
    answered(c, (exchange, key) => answerCompletion(deps, countTokensEndpoint, exchange, key)),
  );
  app.post('/v1/embeddings', (c) =>
    answered(c, (exchange, key) => answerCompletion(deps, embeddingsEndpoint, exchange, key)),
  );
  app.get('/v1/models', (c) => answered(c, (exchange, key) => answerModelList(deps, exchange, key)));
  // Model ids may contain slashes: `meta/llama-4`.
  app.get('/v1/models/:id{.+}', (c) =>
    answered(c, (exchange, key) => answerModel(deps, exchange, key, c.req.param('id'))),
  );
  app.get('/v1/key', (c) => answered(c, (exchange, key) => answerKey(deps, exchange, key)));

  app.notFound((c) => {
    const exchange = c.get('exchange');
    const message = describeMissingRoute(exchange.method, c.req.path);
    sendError(exchange, dialectOfCaller(exchange), { code: 'route_not_found', message });
    return exchange.response;
  });
  app.onError((error, c) => {
    const exchange = c.get('exchange');
    deps.log.error({ err: error, requestId: exchange.requestId }, 'a request failed inside the gateway');
    sendError(exchange, dialectOfCaller(exchange), BROKEN_GATEWAY);
    return exchange.response;
  });
  return app;
}

/** Runs a route and returns its response to the framework as soon as it has started. */
function answered(
  c: Context<AppEnv>,
  route: (exchange: Exchange, key: CachedKey) => void | Promise<void>,
): Response | Promise<Response> {
  const exchange = c.get('exchange');
  const key = c.get('key');
  const running = route(exchange, key);
  if (running === undefined) return exchange.response;
  // A web response starts while its route still runs; if the route fails, the race rejects with its error.
  return exchange.response instanceof Promise
    ? Promise.race([exchange.response, running.then(() => exchange.response)])
    : running.then(() => exchange.response);
}

/** Treats `/v1/v1/messages` as `/v1/messages`: Anthropic's SDK appends `/v1` to a base URL that already has it. */
function singleV1Path(request: Request): string {
  const path = getPath(request);
  return path.startsWith('/v1/v1/') ? path.slice(3) : path;
}
