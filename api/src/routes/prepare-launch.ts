import type { Result } from '@tollgate/core/errors/errors';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import type { ApiDeps } from '../deps.ts';
import { takeLimits } from '../pipeline/take-limits.ts';
import { wantsContinuation } from '../pipeline/continuation/wants-continuation.ts';
import { authorizeModel } from '../pipeline/authorize.ts';
import { expectCacheRead } from '../pipeline/expect-cache-read.ts';
import { FALLBACK_HEADER, readFallbackHeader } from '../pipeline/fallback-header.ts';
import { FallbackModels, hasFallbacks } from '../pipeline/fallback-models.ts';
import { getUsualMode } from '../pipeline/likely-output.ts';
import { needsRates } from '../pipeline/needs-rates.ts';
import { mayBeLarge } from '../pipeline/response-size.ts';
import { readRequestTerms } from '../pipeline/request-terms.ts';
import { findSessionName } from '../pipeline/session-name.ts';
import { findRequestRates } from '../pipeline/request-rates.ts';
import { Translator } from '../pipeline/translation.ts';
import type { ParsedBody } from '../request-body/parse-body.ts';
import { rejectBody, rejectRequest } from './reject-request.ts';
import { launchInBackground } from '../background/launch-background.ts';
import { launch, launchLater, type Forward } from './launch-completion.ts';

/**
 * The steps between the body and the limits. If limits are kept in this process, every step up to the provider is
 * synchronous, so state cannot change in between.
 */
export function prepareLaunch(
  deps: ApiDeps,
  forward: Forward,
  parsed: Result<ParsedBody>,
): void | Promise<void> {
  const { spec, exchange, key, settlement, body, prepared } = forward;
  if (!parsed.ok) return rejectBody(forward, parsed.error);
  const { classified, places, historyMarks, inputTokens } = parsed.value;
  let { request } = parsed.value;
  const header = (name: string) => exchange.header(name);
  settlement.noteRequest(request.model, request.stream);
  settlement.session = findSessionName({ members: classified.members, header });
  if (request.itemReferences !== undefined && !key.keepsResponses)
    exchange.setHeader('x-tollgate-stored', 'false');
  const authorized = authorizeModel(key, request.model, deps.catalogue.current, exchange.startedAtMs);
  if (!authorized.ok) return rejectRequest(forward, authorized.error);
  const continues = wantsContinuation(exchange, { request, model: authorized.value.model });
  if (!continues.ok) return rejectRequest(forward, continues.error);
  const unfit = spec.checkModel(authorized.value.model);
  if (unfit !== null) return rejectRequest(forward, unfit);
  const { model } = authorized.value;
  const allowed = readFallbackHeader(exchange.header(FALLBACK_HEADER));
  if (!allowed.ok) return rejectRequest(forward, allowed.error);
  settlement.output.usualMode = getUsualMode(model);
  const translator = new Translator({ from: spec.dialect, body, model, key, exchange, prepared });
  const scope = { key, catalogue: deps.catalogue.current, startedAtMs: exchange.startedAtMs };
  const onUnknown = (provider: string, members: readonly string[]) =>
    deps.unknownMembers.note(provider, members, {
      accountId: key.accountId,
      userAgent: exchange.header('user-agent'),
    });
  const { price } = authorized.value;
  const getRates = (of: readonly RateNeed[]) => findRequestRates({ model, price, needs: of }, scope);
  const findRates = spec.isMetered && needsRates(key) ? getRates : null;
  const asked = {
    spec,
    request,
    classified,
    header,
    key,
    routes: model.routes,
    translator,
    scope,
    findRates,
    onUnknown,
  };
  const fallbacks =
    spec.hasStreams && hasFallbacks(model, allowed.value)
      ? new FallbackModels({ ...asked, ...scope, body, prepared, exchange }, model, allowed.value)
      : null;
  const terms = readRequestTerms(asked);
  if (!terms.ok) return rejectRequest(forward, terms.error);
  const { needs, hasUncountedTools, hasCompaction } = terms.value;
  settlement.served.needs = needs;
  const rates = getRates(needs);
  if (!rates.ok && findRates !== null) return rejectRequest(forward, rates.error);
  if (needs.length > 0 || hasUncountedTools || hasCompaction)
    request = { ...request, rateNeeds: needs, hasUncountedTools, hasCompaction };
  const session = {
    accountId: key.accountId,
    model: request.model,
    members: classified.members,
    header,
    conversationStart: request.conversationStart ?? null,
  };
  const ready = {
    forward,
    model,
    price,
    request,
    members: classified.members,
    places,
    historyMarks,
    inputTokens,
    translator,
    terms: terms.value,
    mayBeLarge: mayBeLarge({
      spec,
      request,
      members: classified.members,
      bodyBytes: body.length,
      modelMaxOutputTokens: model.maxOutputTokens,
    }),
    rates,
    session,
    fallbacks,
    continues: continues.value && forward.background === null,
  };
  const output = deps.expected.expectedOutputTokens(request.model, request.maxOutputTokens) * request.choices;
  const cacheRead = spec.isMetered
    ? expectCacheRead(deps.cacheReads, { key, routes: terms.value.routes, session })
    : null;
  settlement.limited.cacheRead = cacheRead;
  const outcome = takeLimits(forward, Math.max(0, inputTokens - (cacheRead?.tokens ?? 0)) + output);
  const { background } = forward;
  if (background !== null)
    return Promise.resolve(outcome).then((decided) => launchInBackground(deps, ready, background, decided));
  if (!(outcome instanceof Promise)) return launch(deps, ready, outcome);
  return outcome.then((decided) => launchLater(deps, ready, decided));
}
