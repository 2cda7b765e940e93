import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import type { ParsedBody } from '../request-body/parse-body.ts';
import { needsCarrier } from '@tollgate/dialects/openai-responses/carried/keeps-items';
import { storeAnswer } from '../stored/store-answer.ts';
import type { ConversationTurn } from '../conversations/conversation-turn.ts';
import type { BackgroundExchange } from '../background/background-exchange.ts';
import { CallerStream } from '../pipeline/caller-stream.ts';
import type { Exchange } from '../exchange.ts';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import { redactionSince } from '../catalogue/error-redactor.ts';
import type { ApiDeps } from '../deps.ts';
import { authenticateAgain } from '../keys/authenticate.ts';
import type { LimitsOutcome } from '../pipeline/take-limits.ts';
import type { AuthorizedModel } from '../pipeline/authorize.ts';
import { chooseRoutes, type SessionRequest } from '../pipeline/choose-routes.ts';
import { OWN_CREDENTIAL_UNUSABLE } from '../pipeline/own-credential-error.ts';
import { getHoldPpm } from '../pipeline/request-price.ts';
import { isWatched, RouteWatch } from '../pipeline/route-watch.ts';
import { createComparison, type RouteComparison } from '../pipeline/strategy-ordering.ts';
import { execute } from '../pipeline/execute.ts';
import type { FallbackModels } from '../pipeline/fallback-models.ts';
import { createInputEstimate } from '../pipeline/input-estimate.ts';
import { findLowerLimit } from '../pipeline/lower-limit.ts';
import { LEDGER_UNAVAILABLE } from '../pipeline/hold-refusal.ts';
import type { RequestTerms } from '../pipeline/request-terms.ts';
import { RequestHold } from '../pipeline/request-hold.ts';
import type { RequestRates } from '../pipeline/request-rates.ts';
import type { Translator } from '../pipeline/translation.ts';
import { NO_MEMORY_FOR_RESPONSES } from '../pipeline/upstream-failure.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { BodyMemory } from '../request-body/body-memory.ts';
import type { PreparedTranslations } from '../request-body/worker/translate-body.ts';
import { describeInput } from './describe-input.ts';
import { noteLimits, rejectRequest, type IncomingRequest } from './reject-request.ts';

const NONE: readonly never[] = [];

export interface Forward extends IncomingRequest {
  body: Buffer;
  /** The translations of a large body; null: it is translated when sent. */
  prepared: PreparedTranslations | null;
  /** Its memory. */
  reservation: BodyReservation;
  /** The stored response that it continues; null: none. */
  previousResponseId: string | null;
  /** The conversation that its response is added to; null: none. */
  turn: ConversationTurn | null;
  /** The exchange of a response that runs without its caller; null: the caller waits. */
  background: BackgroundExchange | null;
}

export interface Ready extends AuthorizedModel, Omit<ParsedBody, 'classified' | 'memberCount'> {
  forward: Forward;
  members: JsonObject;
  translator: Translator;
  terms: RequestTerms;
  /** What its session is found by. */
  session: SessionRequest;
  /** Models to try if the routes of its model fail; null: none. */
  fallbacks: FallbackModels | null;
  /** True: it is refused while its account has no memory for large responses. */
  mayBeLarge: boolean;
  /** True: a stream that breaks off is continued if possible. */
  continues: boolean;
  /** If denied, nothing is held, so the rates do not matter. */
  rates: Result<RequestRates>;
}

/** While the limits were checked elsewhere, the key may have been revoked or the caller disconnected. */
export async function launchLater(deps: ApiDeps, ready: Ready, outcome: LimitsOutcome): Promise<void> {
  const { exchange, settlement, key, refuse } = ready.forward;
  const again = authenticateAgain(key, deps);
  const rechecked = again instanceof Promise ? await again : again;
  if (outcome.ok && outcome.taken !== null) settlement.limited.ticket = outcome.taken.ticket;
  if (exchange.isDisconnected) settlement.settleDisconnected({});
  else if (!rechecked.ok) refuse(rechecked.error);
  else await launch(deps, ready, outcome);
}

export function launch(deps: ApiDeps, ready: Ready, outcome: LimitsOutcome): void | Promise<void> {
  const { forward, places, historyMarks, model, price, inputTokens, translator, terms, rates } = ready;
  let { request } = ready;
  const { spec, exchange, key, settlement, refuse, body } = forward;
  // Too large for any window, so it was not counted as a request yet.
  if (!outcome.ok && outcome.error.code === 'request_exceeds_tpm')
    return rejectRequest(forward, outcome.error);
  noteLimits(forward, outcome);
  if (!outcome.ok) return refuse(outcome.error);
  const { ledger } = deps;
  if (!ledger.canRecord) return refuse(LEDGER_UNAVAILABLE);
  if (ready.mayBeLarge && !deps.largeAnswers.hasRoom(key.accountId)) return refuse(NO_MEMORY_FOR_RESPONSES);
  const { fallbacks } = ready;
  const own = deps.upstreams.ownCredentials.find(key);
  const comparison = compareRoutes(deps, ready);
  const session = comparison === null ? ready.session : { ...ready.session, comparison };
  const chosen = chooseRoutes(terms.routes, spec.dialect, session, {
    credentials: deps.upstreams.credentials,
    namesUploads: terms.namesUploads,
    own,
  });
  settlement.chosen = chosen;
  if (isWatched(model)) {
    const { strategies } = deps.upstreams;
    settlement.watch = new RouteWatch({ strategies, model, key, sessionHash: chosen.sessionHash });
  }
  if (chosen.routes.length === 0 && terms.routes.length > 0) return refuse(OWN_CREDENTIAL_UNUSABLE);
  const pricePpm =
    own === null ? key.plan.pricePpm : getHoldPpm(key.plan, fallbacks === null ? chosen.routes : null);
  const hold =
    spec.isMetered && rates.ok && RequestHold.isNeeded(key)
      ? RequestHold.create({
          ledger,
          exchange,
          key,
          endpoint: spec.endpoint,
          dialect: spec.dialect,
          model,
          price,
          pricePpm,
          inputTokens,
          rates: rates.value,
          request,
          body,
          session: settlement.session,
          alternatives: fallbacks === null ? NONE : fallbacks.candidates,
        })
      : null;
  const limitError = hold?.checkLimit() ?? null;
  if (limitError !== null) return refuse(limitError);
  const redaction = redactionSince(deps.catalogue);
  const { redact, redactors } = own === null ? redaction : own.addTo(redaction);
  const outputLimit = findLowerLimit(request, model);
  // A hold shows its own.
  if (outputLimit !== null && hold === null)
    if (fallbacks === null) exchange.setHeader('x-tollgate-max-tokens', String(outputLimit));
    else fallbacks.lowerLimit = outputLimit;
  const { background } = forward;
  const storing = background === null ? storeAnswer(deps, forward, { places, members: ready.members }) : null;
  if (storing !== null || background !== null) request = forgetReferences(request, exchange);
  else if (key.keepsResponses && request.itemReferences !== undefined)
    exchange.setHeader('x-tollgate-stored', 'false');
  const onPaid = background === null ? storing?.begin : () => background.accept();
  if (onPaid !== undefined)
    if (hold === null) onPaid();
    else settlement.onGranted = onPaid;
  const { reservation } = forward;
  // The input of responses and conversations may be stored later.
  if (spec.dialect !== 'openai-responses' && !reservation.isShared) reservation.memory = BodyMemory.of(body);
  // A spread among so many members would take several microseconds.
  execute({
    exchange: storing?.exchange ?? exchange,
    stream: new CallerStream(),
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
    continues: ready.continues,
    continuation: null,
    outputLimit,
    isHeld: hold !== null,
    hold,
    key,
    consoleUrl: deps.consoleUrl,
    routes: chosen.routes,
    chosen,
    session: ready.session,
    fallbacks,
    terms,
    model,
    price,
    body,
    bodyMemory: reservation.memory,
    members: ready.members,
    places,
    historyMarks,
    translator,
    upstreams: deps.upstreams,
    inFlight: deps.inFlight,
    drains: deps.drains,
    background,
    log: deps.log,
  });
}

function compareRoutes({ upstreams, expected }: ApiDeps, ready: Ready): RouteComparison | null {
  const { request, inputTokens } = ready;
  const getOutputTokens = () =>
    expected.expectedOutputTokens(request.model, request.maxOutputTokens) * request.choices;
  return createComparison(upstreams.strategies, ready, { inputTokens, getOutputTokens });
}

/** Ids of stored items need not carry them, except for clients that refer to items of any earlier response. */
function forgetReferences(request: RelayRequest, exchange: Exchange): RelayRequest {
  if (needsCarrier('possible', exchange.header('user-agent'))) return request;
  const { itemReferences: _, ...rest } = request;
  return rest;
}
