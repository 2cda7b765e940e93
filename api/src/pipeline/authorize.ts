import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import { findPrice, type Catalogue, type Model, type Price } from '../catalogue/catalogue.ts';
import type { CachedKey } from '../keys/key-cache.ts';

export interface AuthorizedModel {
  model: Model;
  /** The price of this request. */
  price: Price;
}

/** Checks that the key's account may make requests. @returns the error, or null */
export function checkAccount(key: CachedKey): GatewayError | null {
  if (key.accountSuspendedAt === null) return null;
  return {
    code: 'account_suspended',
    message: 'The account of this Tollgate API key is suspended. Ask the operator of this gateway.',
  };
}

/** Checks that the key may use the model, and that the model exists and has a price. */
export function authorizeModel(
  key: CachedKey,
  modelId: string,
  catalogue: Catalogue,
  startedAtMs: number,
): Result<AuthorizedModel> {
  const suspended = checkAccount(key);
  if (suspended !== null) return { ok: false, error: suspended };
  if (key.allowedModelSet !== null && !key.allowedModelSet.has(modelId)) {
    const message = `key not allowed to access model ${quote(modelId)}. The scope of this Tollgate key does not include it. Use another model, or another key.`;
    return deny('model_not_allowed', message, { param: 'model' });
  }
  if (key.planModelSet !== null && !key.planModelSet.has(modelId)) {
    const message = `key not allowed to access model ${quote(modelId)}: it is not in the account's Tollgate plan (${key.plan.id}). GET /v1/models lists the models that this key can use.`;
    return deny('model_not_allowed', message, { param: 'model' });
  }
  const model = catalogue.get(modelId);
  if (model === undefined) {
    const message = `The model ${quote(modelId)} does not exist in Tollgate. GET /v1/models lists the models that this key can use.`;
    return deny('model_not_found', message, { param: 'model' });
  }
  const price = findPrice(model, startedAtMs);
  if (price === null) {
    const message = `The model ${quote(modelId)} has no price yet, so it cannot be used. Contact the gateway's operator.`;
    return deny('model_without_price', message, { param: 'model' });
  }
  if (model.routes.length === 0) {
    const message = `The model ${quote(modelId)} has no route to a provider, so it cannot be used. Contact the gateway's operator.`;
    return deny('model_without_route', message, { param: 'model' });
  }
  return { ok: true, value: { model, price } };
}

/** A caller's model name, cut to a printable length. */
function quote(modelId: string): string {
  return JSON.stringify(modelId.length > 100 ? `${modelId.slice(0, 100)}…` : modelId);
}
