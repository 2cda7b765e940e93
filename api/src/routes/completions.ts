import type { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import type { GatewayError, Result } from '@tollgate/core/errors/errors';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { recordExchange } from '../bodies/record-exchange.ts';
import { redactionSince } from '../catalogue/error-redactor.ts';
import { routesFor } from '../catalogue/route.ts';
import type { ApiDeps } from '../deps.ts';
import { getErrorFormat } from '../errors/render-error.ts';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import { authenticateAgain } from '../keys/authenticate.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { findUsedUpLimit, takeLimits, type LimitsOutcome } from '../pipeline/take-limits.ts';
import { authorizeModel, checkAccount, type AuthorizedModel } from '../pipeline/authorize.ts';
import { execute } from '../pipeline/execute.ts';
import { createInputEstimate } from '../pipeline/input-estimate.ts';
import { getUsualMode } from '../pipeline/likely-output.ts';
import { findLowerLimit } from '../pipeline/lower-limit.ts';
import { mayBeLarge } from '../pipeline/response-size.ts';
import { LEDGER_UNAVAILABLE } from '../pipeline/hold-refusal.ts';
import { readRequestTerms, type RequestTerms } from '../pipeline/request-terms.ts';
import { RequestHold } from '../pipeline/request-hold.ts';
import { findRequestRates, type RequestRates } from '../pipeline/request-rates.ts';
import { Settlement } from '../pipeline/settlement.ts';
import { Translator } from '../pipeline/translation.ts';
import { NO_MEMORY_FOR_RESPONSES } from '../pipeline/upstream-failure.ts';
import { checkContentType } from '../request-body/check-content-type.ts';
import { withoutByteOrderMark } from '../request-body/decode-body.ts';
import { expandBody } from '../request-body/expand-body.ts';
import { parseBody, type ParsedBody } from '../request-body/parse-body.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import type { PreparedTranslations } from '../request-body/worker/translate-body.ts';
import { describeInput } from './describe-input.ts';
import { prepareLargeBody } from './prepare-large.ts';
import { refuseBroken } from './refuse-broken.ts';
import { noteLimits, rejectRequest, settleLeft, type IncomingRequest } from './reject-request.ts';

/** For bodies of at least this size, the limits of the key are checked before reading. */
const LARGE_BODY_BYTES = 64 * 1024;

/** Handles a model request on any endpoint, up to its provider. */
export async function answerCompletion(
  deps: ApiDeps,
  spec: EndpointSpec,
  exchange: Exchange,
  key: CachedKey,
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
      };
      const taking = isForThread(forward.body)
        ? prepareLarge(deps, { ...forward, reservation })
        : prepareSmall(deps, forward);
      if (taking instanceof Promise) await taking;
    }
  } catch (error) {
    deps.log.error({ err: error, requestId: exchange.requestId }, 'a completion failed inside the gateway');
    await refuseBroken(incoming);
  }
}

interface Forward extends IncomingRequest {
  body: Buffer;
  /** The translations of a large body; null: it is translated when sent. */
  prepared: PreparedTranslations | null;
}

function prepareSmall(deps: ApiDeps, forward: Forward): void | Promise<void> {
  const { endpoint } = forward.spec;
  const expanded = expandBody(endpoint, forward.body);
  if (!expanded.ok) return rejectRequest(forward, expanded.error);
  const body = expanded.value;
  return prepare(deps, body === forward.body ? forward : { ...forward, body }, parseBody(endpoint, body));
}

/** While threads work on a large body, the key may be revoked and the caller may disconnect. */
async function prepareLarge(
  deps: ApiDeps,
  forward: Forward & { reservation: BodyReservation },
): Promise<void> {
  const { exchange, key, refuse } = forward;
  const read = await prepareLargeBody(deps, forward);
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
  if (request.itemReferences !== undefined) exchange.setHeader('x-tollgate-stored', 'false');
  const authorized = authorizeModel(key, request.model, deps.catalogue.current, exchange.startedAtMs);
  if (!authorized.ok) return rejectRequest(forward, authorized.error);
  const unfit = spec.checkModel(authorized.value.model);
  if (unfit !== null) return rejectRequest(forward, unfit);
  const { model } = authorized.value;
  settlement.output.usualMode = getUsualMode(model);
  const translator = new Translator({ from: spec.dialect, body, model, key, exchange, prepared });
  const scope = { key, catalogue: deps.catalogue.current, startedAtMs: exchange.startedAtMs };
  const header = (name: string) => exchange.header(name);
  const onUnknown = (provider: string, members: readonly string[]) =>
    deps.unknownMembers.note(provider, members, {
      accountId: key.accountId,
      userAgent: exchange.header('user-agent'),
    });
  const asked = { spec, request, classified, header, key, routes: model.routes };
  const terms = readRequestTerms({ ...asked, translator, scope, onUnknown });
  if (!terms.ok) return rejectRequest(forward, terms.error);
  const { needs, hasUncountedTools, hasCompaction } = terms.value;
  settlement.served.needs = needs;
  const rates = findRequestRates({ ...authorized.value, needs }, scope);
  if (!rates.ok && spec.isMetered && needsRates(key)) return rejectRequest(forward, rates.error);
  if (needs.length > 0 || hasUncountedTools || hasCompaction)
    request = { ...request, rateNeeds: needs, hasUncountedTools, hasCompaction };
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
  };
  const output = deps.expected.expectedOutputTokens(request.model, request.maxOutputTokens) * request.choices;
  const outcome = takeLimits(forward, inputTokens + output);
  if (!(outcome instanceof Promise)) return launch(deps, ready, outcome);
  return outcome.then((decided) => launchLater(deps, ready, decided));
}

/**
 * False if neither a balance nor a budget limits what the key spends: a missing rate then refuses nothing. Its usage is left
 * out of the cost, and the request is marked with what is missing.
 */
function needsRates(key: CachedKey): boolean {
  return RequestHold.isNeeded(key) && key.plan.pricePpm !== 0;
}

interface Ready extends AuthorizedModel, Omit<ParsedBody, 'classified'> {
  forward: Forward;
  members: JsonObject;
  translator: Translator;
  terms: RequestTerms;
  /** True: it is refused while its account has no memory for large responses. */
  mayBeLarge: boolean;
  /** If denied, nothing is held, so the rates do not matter. */
  rates: Result<RequestRates>;
}

/** While the limits were checked elsewhere, the key may have been revoked or the caller disconnected. */
async function launchLater(deps: ApiDeps, ready: Ready, outcome: LimitsOutcome): Promise<void> {
  const { exchange, settlement, key, refuse } = ready.forward;
  const again = authenticateAgain(key, deps);
  const rechecked = again instanceof Promise ? await again : again;
  if (outcome.ok && outcome.taken !== null) settlement.ticket = outcome.taken.ticket;
  if (exchange.isDisconnected) settlement.settleDisconnected({});
  else if (!rechecked.ok) refuse(rechecked.error);
  else await launch(deps, ready, outcome);
}

function launch(deps: ApiDeps, ready: Ready, outcome: LimitsOutcome): void | Promise<void> {
  const { forward, places, historyMarks, request, model, price, inputTokens, translator, terms, rates } =
    ready;
  const { spec, exchange, key, settlement, refuse, body } = forward;
  // Too large for any window, so it was not counted as a request yet.
  if (!outcome.ok && outcome.error.code === 'request_exceeds_tpm')
    return rejectRequest(forward, outcome.error);
  noteLimits(forward, outcome);
  if (!outcome.ok) return refuse(outcome.error);
  const { ledger } = deps;
  if (!ledger.canRecord) return refuse(LEDGER_UNAVAILABLE);
  if (ready.mayBeLarge && !deps.largeAnswers.hasRoom(key.accountId)) return refuse(NO_MEMORY_FOR_RESPONSES);
  const priced = { endpoint: spec.endpoint, dialect: spec.dialect, model, price, inputTokens };
  const hold =
    spec.isMetered && rates.ok
      ? RequestHold.create({ ledger, exchange, key, ...priced, rates: rates.value, request, body })
      : null;
  const limitFault = hold?.findLimitFault() ?? null;
  if (limitFault !== null) return refuse(limitFault);
  const { redact, redactors } = redactionSince(deps.catalogue);
  const outputLimit = findLowerLimit(request, model);
  // A hold shows its own.
  if (outputLimit !== null && hold === null) exchange.setHeader('x-tollgate-max-tokens', String(outputLimit));
  // A spread among so many members would take several microseconds.
  execute({
    exchange,
    spec,
    request,
    settlement,
    inputTokens,
    redact,
    redactors,
    largeAnswers: deps.largeAnswers,
    describeInput: (name) => describeInput(deps, forward, name),
    estimateInput: createInputEstimate({ request, body, translator, inputTokens }),
    dropped: [],
    outputLimit,
    isHeld: hold !== null,
    hold,
    key,
    routes: routesFor(terms.routes, spec.dialect, Math.random),
    terms,
    price,
    body,
    members: ready.members,
    places,
    historyMarks,
    translator,
    upstreams: deps.upstreams,
    inFlight: deps.inFlight,
    drains: deps.drains,
    log: deps.log,
  });
}
