import type { Dialect } from '@tollgate/core/dialect';
import { isCallable, type Model } from '../catalogue/catalogue.ts';
import type { ApiDeps } from '../deps.ts';
import { dialectOfCaller, sendError, setDialectHeaders } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';

/** `GET /v1/models`: what this key may use, in the caller's dialect. */
export function answerModelList(deps: ApiDeps, exchange: Exchange, key: CachedKey): void {
  const models = [...deps.catalogue.current.values()].filter((model) =>
    mayUse(key, model, exchange.startedAtMs),
  );
  const dialect = dialectOfCaller(exchange);
  const data = models.map((model) => encodeModel(model, dialect));
  const body =
    dialect === 'openai-chat'
      ? { object: 'list', data }
      : { data, has_more: false, first_id: models.at(0)?.id ?? null, last_id: models.at(-1)?.id ?? null };
  setDialectHeaders(exchange, dialect);
  exchange.send(200, 'application/json', JSON.stringify(body));
}

/** `GET /v1/models/{id}`. */
export function answerModel(deps: ApiDeps, exchange: Exchange, key: CachedKey, id: string): void {
  const dialect = dialectOfCaller(exchange);
  const model = deps.catalogue.current.get(id);
  if (model === undefined || !mayUse(key, model, exchange.startedAtMs)) {
    const message = `There is no model ${JSON.stringify(id.slice(0, 100))} for this key. GET /v1/models lists what it may use.`;
    sendError(exchange, dialect, { code: 'model_not_found', message, param: 'model' });
    return;
  }
  setDialectHeaders(exchange, dialect);
  exchange.send(200, 'application/json', JSON.stringify(encodeModel(model, dialect)));
}

function mayUse(key: CachedKey, model: Model, nowMs: number): boolean {
  return (key.allowedModelSet?.has(model.id) ?? true) && isCallable(model, nowMs);
}

function encodeModel(model: Model, dialect: Dialect): object {
  switch (dialect) {
    case 'openai-chat': {
      const created = Math.floor(model.createdAt.getTime() / 1000);
      return { id: model.id, object: 'model', created, owned_by: 'tollgate' };
    }
    case 'anthropic-messages':
      return {
        type: 'model',
        id: model.id,
        display_name: model.id,
        created_at: model.createdAt.toISOString(),
      };
  }
}
