import { chooseRoutes, type SessionRequest } from './choose-routes.ts';
import type { ExecuteContext } from './execute-context.ts';
import { getNeedsOfModel, type FallbackCandidate } from './fallback-models.ts';
import { findLowerLimit } from './lower-limit.ts';
import { createComparison } from './strategy-ordering.ts';

/** For the comparison of prices. */
const LIKELY_OUTPUT_TOKENS = 500;

/** The context of a request at a fallback model. @returns null if its hold does not pay for a response of that model */
export function createFallbackContext(
  primary: ExecuteContext,
  candidate: FallbackCandidate,
): ExecuteContext | null {
  const { spec, hold, request, session, inputTokens, upstreams } = primary;
  const { model, price, terms, translator } = candidate;
  const outputLimit = hold === null ? findLowerLimit(request, model) : hold.limitFor(candidate);
  if (hold !== null && outputLimit === null) return null;
  const getOutputTokens = () =>
    Math.min(request.maxOutputTokens ?? Infinity, LIKELY_OUTPUT_TOKENS) * request.choices;
  const comparison = createComparison(upstreams.strategies, candidate, { inputTokens, getOutputTokens });
  const atModel: SessionRequest = { ...session, model: model.id, comparison };
  const own = upstreams.ownCredentials.find(primary.key);
  const chosen = chooseRoutes(terms.routes, spec.dialect, atModel, {
    credentials: upstreams.credentials,
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
