import { chooseRoutes, type SessionRequest } from './choose-routes.ts';
import type { ExecuteContext } from './execute-context.ts';
import { getNeedsOfModel, type FallbackCandidate } from './fallback-models.ts';
import { findLowerLimit } from './lower-limit.ts';

/** For the comparison of prices. */
const LIKELY_OUTPUT_TOKENS = 500;

/** The context of a request at a fallback model. @returns null if its hold does not pay for a response of that model */
export function createFallbackContext(
  primary: ExecuteContext,
  candidate: FallbackCandidate,
): ExecuteContext | null {
  const { spec, hold, request, session } = primary;
  const { model, price, terms, translator } = candidate;
  const outputLimit = hold === null ? findLowerLimit(request, model) : hold.limitFor(candidate);
  if (hold !== null && outputLimit === null) return null;
  const atModel: SessionRequest = { ...session, model: model.id, ...compareRoutes(primary, candidate) };
  const own = primary.upstreams.ownCredentials.find(primary.key);
  const chosen = chooseRoutes(terms.routes, spec.dialect, atModel, {
    credentials: primary.upstreams.credentials,
    namesUploads: terms.namesUploads,
    own,
    mustBeOwn: own?.isExclusive(primary.terms.routes) === true,
  });
  return {
    ...primary,
    model,
    price,
    terms,
    translator,
    outputLimit,
    chosen,
    routes: chosen.routes,
    request: { ...request, ...getNeedsOfModel(terms) },
  };
}

/** How the strategy of the fallback model compares its routes; empty: by their weights. */
function compareRoutes(
  { upstreams, inputTokens, request }: ExecuteContext,
  { model, price }: FallbackCandidate,
): Pick<SessionRequest, 'comparison'> {
  const { strategy } = model.routing;
  if (strategy === 'weighted') return {};
  const outputTokens = Math.min(request.maxOutputTokens ?? LIKELY_OUTPUT_TOKENS, LIKELY_OUTPUT_TOKENS);
  const likely = { inputTokens, outputTokens: outputTokens * request.choices };
  return { comparison: { strategies: upstreams.strategies, strategy, price, ...likely } };
}

/** The maximum output that is sent to a fallback model, if it is lower than requested; null: it is not. */
export function findFallbackLimit(
  { request, hold }: ExecuteContext,
  { model, outputLimit }: Pick<ExecuteContext, 'model' | 'outputLimit'>,
): number | null {
  if (outputLimit === null) return null;
  const isLower =
    hold === null ? outputLimit < (request.maxOutputTokens ?? Infinity) : hold.isLowered(outputLimit, model);
  return isLower ? outputLimit : null;
}
