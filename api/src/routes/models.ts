import { findPrice, isCallable, type Model, type Price } from '../catalogue/catalogue.ts';
import type { ApiDeps } from '../deps.ts';
import { dialectOfCaller, sendError, setDialectHeaders } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { encodeAnthropicModel, encodeOpenAiModel } from './model-shapes.ts';
import { pageModels } from './page-models.ts';

/** `GET /v1/models`: the models that this key may use, in the caller's dialect; Anthropic's list is paged. */
export function answerModelList(deps: ApiDeps, exchange: Exchange, key: CachedKey): void {
  const usable = [...deps.catalogue.current.values()].flatMap((model) => {
    const price = findUsablePrice(key, model, exchange.startedAtMs);
    return price === null ? [] : [{ id: model.id, model, price }];
  });
  if (dialectOfCaller(exchange) === 'openai-chat') {
    const data = usable.map(({ model, price }) => encodeOpenAiModel(model, price, key.plan));
    exchange.send(200, 'application/json', JSON.stringify({ object: 'list', data }));
    return;
  }
  const page = pageModels(usable, exchange.query);
  if (!page.ok) {
    sendError(exchange, 'anthropic-messages', page.error);
    return;
  }
  const data = page.value.items.map(({ model, price }) => encodeAnthropicModel(model, price, key.plan));
  const ends = { first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null };
  setDialectHeaders(exchange, 'anthropic-messages');
  exchange.send(200, 'application/json', JSON.stringify({ data, has_more: page.value.hasMore, ...ends }));
}

/** `GET /v1/models/{id}` */
export function answerModel(deps: ApiDeps, exchange: Exchange, key: CachedKey, id: string): void {
  const dialect = dialectOfCaller(exchange);
  const model = deps.catalogue.current.get(id);
  const price = model === undefined ? null : findUsablePrice(key, model, exchange.startedAtMs);
  if (model === undefined || price === null) {
    const message = `The model ${JSON.stringify(id.slice(0, 100))} is not available to this key. GET /v1/models lists the models that it can use.`;
    sendError(exchange, dialect, { code: 'model_not_found', message, param: 'model' });
    return;
  }
  setDialectHeaders(exchange, dialect);
  const encode = dialect === 'openai-chat' ? encodeOpenAiModel : encodeAnthropicModel;
  exchange.send(200, 'application/json', JSON.stringify(encode(model, price, key.plan)));
}

/** The current price of the model for the key; null if the key may not use it, or if it cannot be called. */
function findUsablePrice(key: CachedKey, model: Model, nowMs: number): Price | null {
  const isInScope = key.allowedModelSet?.has(model.id) ?? true;
  const isInPlan = key.planModelSet?.has(model.id) ?? true;
  return isInScope && isInPlan && isCallable(model, nowMs) ? findPrice(model, nowMs) : null;
}
