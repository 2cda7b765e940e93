import { describeError } from '../../lib/api-error.ts';
import { applyEvents } from './answer/apply-events.ts';
import { streamAnswer } from './answer/stream-answer.ts';
import { openToolCalls, type AnswerTurn, type Failure, type UserTurn } from './conversation.ts';
import {
  beginAnswer,
  changeAnswer,
  changePlayground,
  nextTurnId,
  readPlayground,
  type HeldKey,
} from './playground-store.ts';
import { buildRequest } from './request/build-request.ts';
import type { Tool } from './request/parse-tools.ts';
import type { Dialect } from './search.ts';

/** A key that ends so soon is replaced before it is used. */
const KEY_MARGIN_MS = 60_000;

export interface SendOptions {
  accountId: string;
  /** Ends with `/v1`. */
  baseUrl: string;
  model: string;
  dialect: Dialect;
  temperature: number | undefined;
  maxTokens: number | undefined;
  tools: readonly Tool[];
  makeKey: () => Promise<HeldKey>;
}

/** Sends what is written, and the answers of the tools that were called. */
export function sendDraft(options: SendOptions): Promise<void> {
  const { accountId } = options;
  const { turns, draft, image, results } = readPlayground(accountId);
  const turn: UserTurn = {
    kind: 'user',
    id: nextTurnId(),
    text: draft.trim(),
    image,
    toolResults: openToolCalls(turns).map(({ id }) => ({ callId: id, text: results[id] ?? '' })),
  };
  changePlayground(accountId, { turns: [...turns, turn], draft: '', image: null, results: {} });
  return answer(options);
}

/** Repeats the request if the last response failed or was stopped, and drops that response. */
export function sendAgain(options: SendOptions): Promise<void> {
  const { turns } = readPlayground(options.accountId);
  const kept = turns.at(-1)?.kind === 'answer' ? turns.slice(0, -1) : turns;
  changePlayground(options.accountId, { turns: kept });
  return answer(options);
}

async function answer(options: SendOptions): Promise<void> {
  const { accountId, model, dialect } = options;
  const { turns, system } = readPlayground(accountId);
  const controller = beginAnswer(accountId);
  const body = buildRequest(dialect, { ...options, system, turns });
  const turn = emptyAnswer(model, dialect);
  changePlayground(accountId, { turns: [...turns, turn] });
  const change = (next: (turn: AnswerTurn) => AnswerTurn) => changeAnswer(accountId, turn.id, next);
  let startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const end = (ending: Pick<AnswerTurn, 'state' | 'failure'>) =>
    change((current) => ({ ...current, ...ending, totalMs: elapsedMs() }));
  try {
    const key = await holdKey(options, controller.signal);
    startedMs = performance.now();
    const failure = await streamAnswer({
      baseUrl: options.baseUrl,
      secret: key.secret,
      dialect,
      body,
      signal: controller.signal,
      onRequestId: (requestId) => change((current) => ({ ...current, requestId })),
      onEvents: (events) => change((current) => applyEvents(current, events, elapsedMs())),
    });
    if (failure?.status === 401) forgetMadeKey(accountId);
    end({ state: failure === null ? 'done' : 'failed', failure });
  } catch (error) {
    if (controller.signal.aborted) end({ state: 'stopped', failure: null });
    else end({ state: 'failed', failure: toFailure(error) });
  }
}

/** The key of the page, or a new one if it has none or its key is about to expire. */
async function holdKey({ accountId, makeKey }: SendOptions, signal: AbortSignal): Promise<HeldKey> {
  const { key } = readPlayground(accountId);
  const isGood = key !== null && (key.expiresAtMs === null || key.expiresAtMs - Date.now() > KEY_MARGIN_MS);
  if (isGood) return key;
  const made = await makeKey();
  // Do not keep a key if the user has signed out in the meantime.
  signal.throwIfAborted();
  changePlayground(accountId, { key: made });
  return made;
}

/** A revoked or expired key is discarded; a pasted one is the user's to replace. */
function forgetMadeKey(accountId: string): void {
  if (readPlayground(accountId).key?.origin === 'made') changePlayground(accountId, { key: null });
}

function toFailure(error: unknown): Failure {
  return { status: null, body: '', message: describeError(error) };
}

function emptyAnswer(model: string, dialect: Dialect): AnswerTurn {
  return {
    kind: 'answer',
    id: nextTurnId(),
    model,
    dialect,
    state: 'streaming',
    text: '',
    reasoning: '',
    toolCalls: [],
    failure: null,
    requestId: null,
    finishReason: null,
    usage: null,
    firstTokenMs: null,
    totalMs: null,
  };
}
