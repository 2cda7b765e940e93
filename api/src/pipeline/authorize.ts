import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import { findPrice, type Catalogue, type Model, type Price } from '../catalogue/catalogue.ts';
import type { CachedKey } from '../keys/key-cache.ts';

export interface AuthorizedModel {
  model: Model;
  /** The price that holds for this request. */
  price: Price;
}

/** May the account of this key make requests? @returns why not, or null */
export function checkAccount(key: CachedKey): GatewayError | null {
  if (key.accountSuspendedAt === null) return null;
  return {
    code: 'account_suspended',
    message: 'The account of this API key is suspended. Ask the operator of this gateway.',
  };
}

/** May this key use this model, and does the installation have it, with a price? */
export function authorizeModel(
  key: CachedKey,
  modelId: string,
  catalogue: Catalogue,
  startedAtMs: number,
): Result<AuthorizedModel> {
  const suspended = checkAccount(key);
  if (suspended !== null) return { ok: false, error: suspended };
  if (key.allowedModelSet !== null && !key.allowedModelSet.has(modelId)) {
    const message = `key not allowed to access model ${quote(modelId)}. Use one of the models in the key's scope, or another key.`;
    return deny('model_not_allowed', message, { param: 'model' });
  }
  if (key.planModelSet !== null && !key.planModelSet.has(modelId)) {
    const message = `key not allowed to access model ${quote(modelId)}: it is not in the account's plan (${key.plan.id}). GET /v1/models lists what this key may use.`;
    return deny('model_not_allowed', message, { param: 'model' });
  }
  const model = catalogue.get(modelId);
  if (model === undefined) {
    const message = `There is no model ${quote(modelId)}. GET /v1/models lists what this key may use.`;
    return deny('model_not_found', message, { param: 'model' });
  }
  const price = findPrice(model, startedAtMs);
  if (price === null) {
    const message = `The model ${quote(modelId)} has no price yet, so it is not served. Ask whoever runs this gateway.`;
    return deny('no_route_available', message, { param: 'model' });
  }
  return { ok: true, value: { model, price } };
}

/** A name as the caller sent it, cut to a length that is fit to print. */
function quote(modelId: string): string {
  return JSON.stringify(modelId.length > 100 ? `${modelId.slice(0, 100)}…` : modelId);
}
