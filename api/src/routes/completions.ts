import type { Buffer } from 'node:buffer';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import { recordExchange } from '../bodies/record-exchange.ts';
import { MAX_BODY_BYTES } from '../body-limit.ts';
import { routesFor } from '../catalogue/route.ts';
import type { ApiDeps } from '../deps.ts';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { Face } from '../faces.ts';
import { authenticateAgain } from '../keys/authenticate.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { takeLimits, UNLIMITED, type LimitsOutcome } from '../pipeline/take-limits.ts';
import { authorizeModel, type AuthorizedModel } from '../pipeline/authorize.ts';
import { execute } from '../pipeline/execute.ts';
import { likelyInputTokens } from '../pipeline/likely-tokens.ts';
import { setLimitHeaders } from '../pipeline/limit-headers.ts';
import { LEDGER_UNAVAILABLE } from '../pipeline/hold-refusal.ts';
import { RequestHold } from '../pipeline/request-hold.ts';
import { Settlement } from '../pipeline/settlement.ts';
import { Translator } from '../pipeline/translation.ts';
import { BROKEN_GATEWAY } from '../pipeline/upstream-failure.ts';

/** The road of a request that asks a model, through whichever face, up to its provider. */
export async function answerCompletion(
  deps: ApiDeps,
  face: Face,
  exchange: Exchange,
  key: CachedKey,
): Promise<void> {
  const { ledger, limits, expected } = deps;
  const { endpoint } = face;
  const settlement = new Settlement({ exchange, key, endpoint, ledger, limits, expected });
  let answering = exchange;
  const refuse = (error: GatewayError) => {
    settlement.settle({ status: sendError(answering, face.dialect, error), errorCode: error.code });
  };
  try {
    const denied = checkContentType(exchange);
    if (denied !== null) {
      refuse(denied);
      return;
    }
    const body = await exchange.readBody(MAX_BODY_BYTES);
    const again = authenticateAgain(key, deps);
    const rechecked = again instanceof Promise ? await again : again;
    if (exchange.isGone) settlement.settleGone(null, false);
    else if (!body.ok) refuse(body.error);
    else if (!rechecked.ok) refuse(rechecked.error);
    else {
      const { accountId, keepsBodies } = rechecked.value;
      if (keepsBodies)
        answering = recordExchange(exchange, { host: deps.bodies, accountId, body: body.value });
      const ready = { face, exchange: answering, key: rechecked.value, settlement, refuse };
      const taking = prepare(deps, { ...ready, body: withoutByteOrderMark(body.value) });
      if (taking instanceof Promise) await taking;
    }
  } catch (error) {
    deps.log.error({ err: error, requestId: exchange.requestId }, 'a completion failed inside the gateway');
    refuse(BROKEN_GATEWAY);
  }
}

interface Forward {
  face: Face;
  exchange: Exchange;
  key: CachedKey;
  settlement: Settlement;
  refuse: (error: GatewayError) => void;
  body: Buffer;
}

/**
 * Everything between the body and the limits. Where they are kept in this process, all up to the provider is
 * synchronous: nothing can change under it.
 */
function prepare(deps: ApiDeps, forward: Forward): void | Promise<void> {
  const { face, exchange, key, settlement, refuse, body } = forward;
  const text = decodeUtf8(body);
  const parsed = text.ok ? face.parseRequest(text.value) : text;
  if (!parsed.ok) return refuse(parsed.error);
  const request = parsed.value;
  settlement.noteRequest(request.model, request.stream);
  const authorized = authorizeModel(key, request.model, deps.catalogue.current, exchange.startedAtMs);
  if (!authorized.ok) return refuse(authorized.error);
  const unfit = face.checkModel(authorized.value.model);
  if (unfit !== null) return refuse(unfit);
  const inputTokens = likelyInputTokens(request, body);
  const ready = { ...forward, ...authorized.value, request, inputTokens };
  const { limits, expected } = deps;
  const outcome = face.isMetered ? takeLimits({ key, limits, expected, request, inputTokens }) : UNLIMITED;
  if (!(outcome instanceof Promise)) return launch(deps, ready, outcome);
  return outcome.then((decided) => launchLater(deps, ready, decided));
}

interface Ready extends Forward, AuthorizedModel {
  request: RelayRequest;
  inputTokens: number;
}

/** The key may have been revoked, and the caller may have left, while others were asked for the limits. */
async function launchLater(deps: ApiDeps, ready: Ready, outcome: LimitsOutcome): Promise<void> {
  const { exchange, settlement, key, refuse } = ready;
  const again = authenticateAgain(key, deps);
  const rechecked = again instanceof Promise ? await again : again;
  if (outcome.ok && outcome.taken !== null) settlement.noteTicket(outcome.taken.ticket);
  if (exchange.isGone) settlement.settleGone(null, false);
  else if (!rechecked.ok) refuse(rechecked.error);
  else launch(deps, ready, outcome);
}

function launch(deps: ApiDeps, ready: Ready, outcome: LimitsOutcome): void {
  const { face, exchange, key, settlement, refuse, body, request, model, price, inputTokens } = ready;
  const state = outcome.ok ? (outcome.taken?.state ?? null) : outcome.state;
  if (state !== null) setLimitHeaders(exchange, face.dialect, state);
  if (!outcome.ok) return refuse(outcome.error);
  if (outcome.taken !== null) settlement.noteTicket(outcome.taken.ticket);
  const { ledger } = deps;
  if (!ledger.canRecord) return refuse(LEDGER_UNAVAILABLE);
  const { endpoint } = face;
  const hold = face.isMetered
    ? RequestHold.create({ ledger, exchange, key, endpoint, model, price, request, body, inputTokens })
    : null;
  execute({
    exchange,
    face,
    request,
    settlement,
    inputTokens,
    dropped: [],
    outputLimit: null,
    hold,
    key,
    routes: routesFor(model.routes, face.dialect, Math.random),
    price,
    body,
    translator: new Translator(face.dialect, body, model.maxOutputTokens),
    road: deps.road,
    inFlight: deps.inFlight,
    log: deps.log,
  });
}

function checkContentType(exchange: Exchange): GatewayError | null {
  const encoding = exchange.header('content-encoding') ?? 'identity';
  const type = exchange.header('content-type') ?? 'application/json';
  if (encoding === 'identity' && type.includes('json')) return null;
  const message =
    "The body must be plain JSON: send 'content-type: application/json' and no content-encoding.";
  return { code: 'unsupported_media_type', message };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(body: Buffer): Result<string> {
  // Invalid bytes become U+FFFD, which hardly any request holds: only then does it pay to look closer.
  const text = body.toString('utf8');
  if (!text.includes('\ufffd')) return { ok: true, value: text };
  try {
    return { ok: true, value: utf8.decode(body) };
  } catch {
    return deny('invalid_json', 'The request body is not valid UTF-8.');
  }
}

/** It may be ignored, and must not be sent on (https://www.rfc-editor.org/rfc/rfc8259#section-8.1). */
function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
