import { deny, type Result } from '@tollgate/core/errors/errors';
import type { NamedModel } from '@tollgate/dialects/contract/inspection';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import { listNamedModels } from '../catalogue/upstream-models.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { authorizeModel } from './authorize.ts';

/** What further models named in a request are checked against. */
export interface ModelScope {
  key: CachedKey;
  catalogue: Catalogue;
  startedAtMs: number;
}

/**
 * Finds the catalogue model that a name means to a route's provider. The name is sent unchanged, so it is resolved as the
 * provider does: by the routes' upstream names, never by the gateway's own.
 * @returns its id; `model_not_allowed` if the key may not use it, if it has no price, or if no route leads to it
 */
export function resolveNamedModel(
  { model: name, param }: NamedModel,
  route: Route,
  { key, catalogue, startedAtMs }: ModelScope,
): Result<string> {
  let refusal: ReturnType<typeof deny> | null = null;
  for (const model of listNamedModels(catalogue, route, name)) {
    const authorized = authorizeModel(key, model.id, catalogue, startedAtMs);
    if (authorized.ok) return { ok: true, value: model.id };
    refusal ??= { ok: false, error: { ...authorized.error, code: 'model_not_allowed', param } };
  }
  if (refusal !== null) return refusal;
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
  const hint = getUpstreamName(name, route.provider.name, { key, catalogue, startedAtMs });
  return deny(
    'model_not_allowed',
    `${param} must be the provider's name of a model that this gateway serves through the same provider. ${shown} is not${hint}.`,
    { param },
  );
}

/** A hint with the name to send instead of a gateway model name; empty if the key may not use the model. */
function getUpstreamName(name: string, providerName: string, scope: ModelScope): string {
  const own = scope.catalogue.get(name)?.routes.find(({ provider }) => provider.name === providerName);
  if (own === undefined) return '';
  if (!authorizeModel(scope.key, name, scope.catalogue, scope.startedAtMs).ok) return '';
  return `: use ${JSON.stringify(own.upstreamModel)}`;
}
