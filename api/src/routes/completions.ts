import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import type { GatewayError, Result } from '@tollgate/core/errors/errors';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import { recordExchange } from '../bodies/record-exchange.ts';
import type { CompactingExchange } from '../compaction/compacting-exchange.ts';
import type { ApiDeps } from '../deps.ts';
import { getErrorFormat } from '../errors/render-error.ts';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import { authenticateAgain } from '../keys/authenticate.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { findUsedUpLimit, takeLimits } from '../pipeline/take-limits.ts';
import { wantsContinuation } from '../pipeline/continuation/wants-continuation.ts';
import { authorizeModel, checkAccount } from '../pipeline/authorize.ts';
import { expectCacheRead } from '../pipeline/expect-cache-read.ts';
import { FALLBACK_HEADER, readFallbackHeader } from '../pipeline/fallback-header.ts';
import { FallbackModels, hasFallbacks } from '../pipeline/fallback-models.ts';
import { getUsualMode } from '../pipeline/likely-output.ts';
import { needsRates } from '../pipeline/needs-rates.ts';
import { mayBeLarge } from '../pipeline/response-size.ts';
import { readRequestTerms } from '../pipeline/request-terms.ts';
import { findRequestRates } from '../pipeline/request-rates.ts';
import { Settlement } from '../pipeline/settlement.ts';
import { Translator } from '../pipeline/translation.ts';
import { checkContentType } from '../request-body/check-content-type.ts';
import { withoutByteOrderMark } from '../request-body/decode-body.ts';
import { expandBody } from '../request-body/expand-body.ts';
import { parseBody, type ParsedBody } from '../request-body/parse-body.ts';
import { parseOnLoop } from '../request-body/parse-on-loop.ts';
import { continueResponse, mayContinue } from '../stored/continue-response.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { listTargets, prepareLargeBody } from './prepare-large.ts';
import { refuseBroken } from './refuse-broken.ts';
import { noteLimits, rejectRequest, settleLeft, type IncomingRequest } from './reject-request.ts';
import { launchInBackground } from '../background/launch-background.ts';
import { launch, launchLater, type Forward } from './launch-completion.ts';
import { withExchange } from './with-exchange.ts';

/** For bodies of at least this size, the limits of the key are checked before reading. */
const LARGE_BODY_BYTES = 64 * 1024;

/**
 * Handles a model request on any endpoint, up to its provider.
 * @param compacting the exchange, if it compacts a conversation
 */
export async function answerCompletion(
  deps: ApiDeps,
  spec: EndpointSpec,
  exchange: Exchange,
  key: CachedKey,
  compacting: CompactingExchange | null = null,
): Promise<void> {
  const { ledger, limits, expected, outputSpeeds, catalogue } = deps;
  const { endpoint } = spec;
  const settlement = new Settlement({
    exchange,
    key,
    endpoint,
    ledger,
    limits,
    expected,
    outputSpeeds,
    catalogue,
  });
  let answering = exchange;
  const refuse = (error: GatewayError) => {
    const status = getErrorFormat(spec.dialect).getStatus(error);
    settlement.settle({ status, errorCode: error.code }, () => sendError(answering, spec.dialect, error));
  };
  const incoming: IncomingRequest = { limits, spec, exchange, key, settlement, refuse };
  try {
    const denied = checkContentType(exchange) ?? checkAccount(key);
    if (denied !== null) {
      await rejectRequest(incoming, denied);
      return;
    }
    const { declaredBodyBytes } = exchange;
    if (declaredBodyBytes === null || declaredBodyBytes > LARGE_BODY_BYTES) {
      const usedUp = await findUsedUpLimit(incoming);
      if (usedUp !== null) {
        noteLimits(incoming, usedUp);
        refuse(usedUp.error);
        return;
      }
    }
    const reservation = deps.bodyBudget.open(key.accountId);
    settlement.noteBody(reservation);
    const body = await exchange.readBody({
      maxBytes: BODY_LIMITS.maxBytes,
      reservation,
      pace: deps.bodyPace,
      turns: deps.bodyTurns,
      owner: key.accountId,
    });
    const again = authenticateAgain(key, deps);
    const rechecked = again instanceof Promise ? await again : again;
    if (exchange.isDisconnected) await settleLeft(incoming);
    else if (!rechecked.ok) refuse(rechecked.error);
    else if (!body.ok) await rejectRequest(incoming, body.error);
    else {
      const { accountId, keepsBodies } = rechecked.value;
      if (keepsBodies)
        answering = recordExchange(exchange, { host: deps.bodies, accountId, body: body.value });
      const forward = {
        limits,
        spec,
        exchange: answering,
        key: rechecked.value,
        settlement,
        refuse,
        body: withoutByteOrderMark(body.value),
        prepared: null,
        previousResponseId: exchange.continuedResponseId,
        turn: null,
        background: null,
        reservation,
      };
      const taking = mayContinue(forward)
        ? prepareContinued(deps, forward, compacting)
        : prepareBody(deps, forward);
      if (taking instanceof Promise) await taking;
    }
  } catch (error) {
    deps.log.error({ err: error, requestId: exchange.requestId }, 'a completion failed inside the gateway');
    await refuseBroken(incoming);
  }
}

/** While the stored response is read, the key may be revoked and the caller may disconnect. */
async function prepareContinued(
  deps: ApiDeps,
  forward: Forward,
  compacting: CompactingExchange | null,
): Promise<void> {
  const usedUp = await findUsedUpLimit(forward);
  if (usedUp !== null) {
    noteLimits(forward, usedUp);
    forward.refuse(usedUp.error);
    return;
  }
  const continued = await continueAll(deps, forward, compacting);
  const rechecked = await authenticateAgain(forward.key, deps);
  if (continued === null) await settleLeft(forward);
  else if (!continued.ok) await rejectRequest(forward, continued.error);
  else {
    const { isBackground, ...value } = continued.value;
    const previousResponseId = value.previousResponseId ?? forward.previousResponseId;
    const next = withExchange({ ...forward, ...value, previousResponseId }, isBackground);
    try {
      if (next.exchange.isDisconnected) await settleLeft(next);
      else if (!rechecked.ok) next.refuse(rechecked.error);
      else await prepareBody(deps, { ...next, key: rechecked.value });
    } catch (error) {
      await value.turn?.release();
      throw error;
    }
  }
}

async function continueAll(
  deps: ApiDeps,
  forward: Forward,
  compacting: CompactingExchange | null,
): ReturnType<typeof continueResponse> {
  const continued = await continueResponse(deps, forward);
  if (compacting === null || continued?.ok !== true || continued.value.previousResponseId === null)
    return continued;
  const { reservation, key } = forward;
  const kept = await compacting.keepContinued(continued.value.body, { reservation, owner: key.accountId });
  return kept.ok ? { ok: true, value: { ...continued.value, body: kept.value } } : kept;
}

function prepareBody(deps: ApiDeps, forward: Forward): void | Promise<void> {
  const { body } = forward;
  const parsed = parseOnLoop(forward.spec.endpoint, body);
  if (parsed === null) return isForThread(body) ? prepareLarge(deps, forward) : prepareSmall(deps, forward);
  return body.length <= BODY_LIMITS.maxOnLoopBytes || listTargets(deps, forward, parsed).length === 0
    ? prepare(deps, forward, { ok: true, value: parsed })
    : prepareLarge(deps, forward, parsed);
}

function prepareSmall(deps: ApiDeps, forward: Forward): void | Promise<void> {
  const { endpoint } = forward.spec;
  const expanded = expandBody(endpoint, forward.body);
  if (!expanded.ok) return rejectRequest(forward, expanded.error);
  const body = expanded.value;
  return prepare(deps, body === forward.body ? forward : { ...forward, body }, parseBody(endpoint, body));
}

/** While threads work on a large body, the key may be revoked and the caller may disconnect. */
async function prepareLarge(deps: ApiDeps, forward: Forward, known: ParsedBody | null = null): Promise<void> {
  const { exchange, key, refuse } = forward;
  const read = await prepareLargeBody(deps, forward, known);
  const again = authenticateAgain(key, deps);
  const rechecked = again instanceof Promise ? await again : again;
  if (exchange.isDisconnected || read === null) await settleLeft(forward);
  else if (!rechecked.ok) refuse(rechecked.error);
  else if (!read.ok) await rejectRequest(forward, read.error);
  else {
    const { body, parsed, prepared } = read.value;
    await prepare(deps, { ...forward, key: rechecked.value, body, prepared }, parsed);
  }
}

/**
 * The steps between the body and the limits. If limits are kept in this process, every step up to the provider is
 * synchronous, so state cannot change in between.
 */
function prepare(deps: ApiDeps, forward: Forward, parsed: Result<ParsedBody>): void | Promise<void> {
  const { spec, exchange, key, settlement, body, prepared } = forward;
  if (!parsed.ok) return rejectRequest(forward, parsed.error);
  const { classified, places, historyMarks, inputTokens } = parsed.value;
  let { request } = parsed.value;
  settlement.noteRequest(request.model, request.stream);
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
  const header = (name: string) => exchange.header(name);
  const onUnknown = (provider: string, members: readonly string[]) =>
    deps.unknownMembers.note(provider, members, {
      accountId: key.accountId,
      userAgent: exchange.header('user-agent'),
    });
  const getRates = (of: readonly RateNeed[]) => findRequestRates({ ...authorized.value, needs: of }, scope);
  const findRates = spec.isMetered && needsRates(key) ? getRates : null;
  const asked = { spec, request, classified, header, key, routes: model.routes };
  const fallbacks =
    spec.hasStreams && hasFallbacks(model, allowed.value)
      ? new FallbackModels({ ...asked, ...scope, body, prepared, exchange }, model, allowed.value)
      : null;
  const terms = readRequestTerms({ ...asked, translator, scope, findRates, onUnknown });
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
    price: authorized.value.price,
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
