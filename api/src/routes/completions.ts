import type { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { recordExchange } from '../bodies/record-exchange.ts';
import type { CompactingExchange } from '../compaction/compacting-exchange.ts';
import type { ApiDeps } from '../deps.ts';
import { getErrorFormat } from '../errors/render-error.ts';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import { authenticateAgain } from '../keys/authenticate.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { findUsedUpLimit } from '../pipeline/take-limits.ts';
import { checkAccount } from '../pipeline/authorize.ts';
import { Settlement } from '../pipeline/settlement.ts';
import { checkContentType } from '../request-body/check-content-type.ts';
import { withoutByteOrderMark } from '../request-body/decode-body.ts';
import { expandBody } from '../request-body/expand-body.ts';
import { parseBody, type ParsedBody } from '../request-body/parse-body.ts';
import { parseOnLoop } from '../request-body/parse-on-loop.ts';
import { continueResponse, mayContinue } from '../stored/continue-response.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { listTargets, prepareLargeBody } from './prepare-large.ts';
import { refuseBroken } from './refuse-broken.ts';
import { noteLimits, rejectBody, rejectRequest, settleLeft, type IncomingRequest } from './reject-request.ts';
import type { Forward } from './launch-completion.ts';
import { withExchange } from './with-exchange.ts';
import { prepareLaunch } from './prepare-launch.ts';

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
    log: deps.log,
  });
  let answering = exchange;
  const refuse = (error: GatewayError) => {
    const status = getErrorFormat(spec.dialect).getStatus(error);
    settlement.settle({ status, errorCode: error.code, error }, () =>
      sendError(answering, spec.dialect, error),
    );
  };
  const incoming: IncomingRequest = { limits, spec, exchange, key, settlement, refuse };
  try {
    const denied = checkContentType(exchange) ?? checkAccount(key);
    if (denied !== null) {
      await rejectRequest(incoming, denied);
      return;
    }
    const { declaredBodyBytes } = exchange;
    const isLarge = declaredBodyBytes === null || declaredBodyBytes > LARGE_BODY_BYTES;
    if (isLarge) {
      const usedUp = await findUsedUpLimit(incoming);
      if (usedUp !== null) {
        noteLimits(incoming, usedUp);
        refuse(usedUp.error);
        return;
      }
    }
    const reservation = deps.bodyBudget.open(key.accountId);
    settlement.body = reservation;
    const reading = exchange.readBody({
      maxBytes: BODY_LIMITS.maxBytes,
      reservation,
      pace: deps.bodyPace,
      turns: deps.bodyTurns,
      owner: key.accountId,
    });
    const isWaiting = reading instanceof Promise;
    const body = isWaiting ? await reading : reading;
    // Without a wait, the key was checked in this turn of the event loop.
    const again = isWaiting || isLarge ? authenticateAgain(key, deps) : { ok: true as const, value: key };
    const rechecked = again instanceof Promise ? await again : again;
    if (exchange.isDisconnected) await settleLeft(incoming);
    else if (!rechecked.ok) refuse(rechecked.error);
    else if (!body.ok) await rejectRequest(incoming, body.error);
    else {
      const { accountId, keepsBodies } = rechecked.value;
      reservation.isShared = keepsBodies;
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
  else if (!continued.ok) await rejectBody(forward, continued.error);
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
  return isQuicklyTranslated(body, parsed) || listTargets(deps, forward, parsed).length === 0
    ? prepareLaunch(deps, forward, { ok: true, value: parsed })
    : prepareLarge(deps, forward, parsed);
}

/** 100 KB of 1,900 messages took 20 ms. */
function isQuicklyTranslated({ length }: Buffer, { memberCount }: ParsedBody): boolean {
  return length <= BODY_LIMITS.maxOnLoopBytes && (memberCount ?? 0) <= BODY_LIMITS.maxOnLoopMembers;
}

function prepareSmall(deps: ApiDeps, forward: Forward): void | Promise<void> {
  const { endpoint } = forward.spec;
  const expanded = expandBody(endpoint, forward.body);
  if (!expanded.ok) return rejectBody(forward, expanded.error);
  const body = expanded.value;
  return prepareLaunch(
    deps,
    body === forward.body ? forward : { ...forward, body },
    parseBody(endpoint, body),
  );
}

/** While threads work on a large body, the key may be revoked and the caller may disconnect. */
async function prepareLarge(deps: ApiDeps, forward: Forward, known: ParsedBody | null = null): Promise<void> {
  const { exchange, key, refuse } = forward;
  const read = await prepareLargeBody(deps, forward, known);
  const again = authenticateAgain(key, deps);
  const rechecked = again instanceof Promise ? await again : again;
  if (exchange.isDisconnected || read === null) await settleLeft(forward);
  else if (!rechecked.ok) refuse(rechecked.error);
  else if (!read.ok) await rejectBody(forward, read.error);
  else {
    const { body, parsed, prepared } = read.value;
    await prepareLaunch(deps, { ...forward, key: rechecked.value, body, prepared }, parsed);
  }
}
