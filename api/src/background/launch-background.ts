import type { GatewayError } from '@tollgate/core/errors/errors';
import { deny } from '@tollgate/core/errors/errors';
import type { ApiDeps } from '../deps.ts';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { authenticateAgain } from '../keys/authenticate.ts';
import type { LimitsOutcome } from '../pipeline/take-limits.ts';
import { launch, type Ready } from '../routes/launch-completion.ts';
import { keepInput } from '../stored/store-answer.ts';
import type { BackgroundExchange } from './background-exchange.ts';
import { createUnfinished, writeUnfinished } from './background-response.ts';

/** Settings of a request, without its input: the unfinished response repeats them, and is written on the event loop. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Stores a response in the background as running, and then launches it as any other. */
export async function launchInBackground(
  deps: ApiDeps,
  ready: Ready,
  background: BackgroundExchange,
  outcome: LimitsOutcome,
): Promise<void> {
  try {
    await launchStored(deps, ready, background, outcome);
  } catch (error) {
    background.abandon();
    throw error;
  }
}

async function launchStored(
  deps: ApiDeps,
  ready: Ready,
  background: BackgroundExchange,
  outcome: LimitsOutcome,
): Promise<void> {
  const { settlement, key, refuse } = ready.forward;
  if (outcome.ok && outcome.taken !== null) settlement.limited.ticket = outcome.taken.ticket;
  const error = outcome.ok ? await begin(deps, ready, background) : null;
  const rechecked = await authenticateAgain(key, deps);
  if (background.isDisconnected) settlement.settleDisconnected({});
  else if (!rechecked.ok) refuse(rechecked.error);
  else if (error !== null) refuse(error);
  else await launch(deps, ready, outcome);
}

async function begin(
  deps: ApiDeps,
  { forward, places, members, request }: Ready,
  exchange: BackgroundExchange,
): Promise<GatewayError | null> {
  const { key, previousResponseId, turn } = forward;
  const { accountId } = key;
  const { requestId, startedAtMs } = exchange;
  const input = new JsonObjectBytes(forward.body, places).findPlace('input') ?? { start: 0, end: 0 };
  if (forward.body.length - (input.end - input.start) > MAX_SETTINGS_BYTES) return TOO_LARGE;
  const kept = keepInput(deps, { ...forward, exchange }, places);
  if (kept === null) return NO_MEMORY;
  const place = { accountId, id: kept.id };
  const full = deps.stored.background.enter({ ...place, stop: () => exchange.stop() });
  if (full !== null) return full;
  const response = createUnfinished({
    id: kept.id,
    requestId,
    startedAtMs,
    previousResponseId,
    conversationId: turn?.id ?? null,
    model: request.model,
    members,
  });
  let isStored = false;
  try {
    isStored = await deps.stored.background.start({
      ...place,
      startedAtMs,
      response: writeUnfinished(response, 'in_progress'),
      input: await kept.seal(),
      inputSize: kept.inputSize,
    });
  } catch (error) {
    deps.log.warn({ err: error, responseId: place.id }, 'a response in the background could not be stored');
  }
  if (!isStored || exchange.isDisconnected) {
    deps.stored.background.leave(place);
    if (isStored) deps.stored.background.withdraw(place);
    return NOT_STORED;
  }
  exchange.begin(response, {
    onWithdrawn: () => {
      deps.stored.background.leave(place);
      deps.stored.background.withdraw(place);
    },
    onEnded: async (ended, isWhole) => {
      await deps.stored.background.end(place, ended, isWhole ? turn : null);
      deps.stored.background.leave(place);
    },
  });
  return null;
}

const TOO_LARGE = deny(
  'request_too_large',
  `Everything except the input of a response in the background can have at most ${MAX_SETTINGS_BYTES / 1024 / 1024} MiB.`,
).error;
const NO_MEMORY = deny(
  'gateway_overloaded',
  'The gateway has no memory for the input of a response in the background now. Try again.',
).error;
const NOT_STORED = deny(
  'ledger_unavailable',
  'The response could not be stored, so it does not run in the background: the account has no room for more stored responses, or the database does not respond. Delete stored responses, or send the request without background.',
).error;
