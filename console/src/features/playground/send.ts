import { describeError } from '../../lib/api-error.ts';
import { applyEvents } from './answer/apply-events.ts';
import { streamAnswer } from './answer/stream-answer.ts';
import {
  getConversation,
  getResultKey,
  openToolCalls,
  type AnswerTurn,
  type Failure,
  type Turn,
  type UserTurn,
} from './conversation.ts';
import type { HeldKey } from './playground-state.ts';
import {
  beginAnswer,
  changeAnswer,
  changePlayground,
  nextTurnId,
  readPlayground,
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
  /** The first is the chosen one, the others are compared with it. */
  models: readonly string[];
  dialect: Dialect;
  temperature: number | undefined;
  maxTokens: number | undefined;
  tools: readonly Tool[];
  makeKey: () => Promise<HeldKey>;
}

/** Keys that are being created, by account: several models wait for one. */
const makings = new Map<string, Promise<HeldKey>>();

/** Sends what is written to all models, and to each the results of the tools that it called. */
export async function sendDraft(options: SendOptions): Promise<void> {
  const { accountId, models } = options;
  const { conversations, draft, image, results } = readPlayground(accountId);
  const asked = models.map((_, place) => {
    const turns = getConversation(conversations, place);
    const turn: UserTurn = {
      kind: 'user',
      id: nextTurnId(),
      text: draft.trim(),
      image,
      toolResults: openToolCalls(turns).map(({ id }) => ({
        callId: id,
        text: results[getResultKey(place, id)] ?? '',
      })),
    };
    return [...turns, turn];
  });
  changePlayground(accountId, { conversations: asked, draft: '', image: null, results: {} });
  await Promise.all(models.map((_, place) => answer(options, place)));
}

/** Asks one model for a response to the last message. A response that failed or was stopped is dropped. */
export function sendAgain(options: SendOptions, place: number): Promise<void> {
  const { conversations } = readPlayground(options.accountId);
  const turns = getConversation(conversations, place);
  changeConversation(options, place, turns.at(-1)?.kind === 'answer' ? turns.slice(0, -1) : turns);
  return answer(options, place);
}

/** Sets the conversation with one model; that of others stays as it is shown. */
function changeConversation({ accountId, models }: SendOptions, place: number, turns: Turn[]): void {
  const { conversations } = readPlayground(accountId);
  changePlayground(accountId, {
    conversations: models.map((_, at) => (at === place ? turns : getConversation(conversations, at))),
  });
}

async function answer(options: SendOptions, place: number): Promise<void> {
  const { accountId, models, dialect } = options;
  const model = models[place];
  if (model === undefined) return;
  const { conversations, system } = readPlayground(accountId);
  const turns = getConversation(conversations, place);
  const turn = emptyAnswer(model, dialect);
  const controller = beginAnswer(turn.id);
  const body = buildRequest(dialect, { ...options, model, system, turns });
  changeConversation(options, place, [...turns, turn]);
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

/** The key of the tab, or a new one if it has none or its key is about to expire. */
async function holdKey(options: SendOptions, signal: AbortSignal): Promise<HeldKey> {
  const { accountId } = options;
  const { key } = readPlayground(accountId);
  const isGood = key !== null && (key.expiresAtMs === null || key.expiresAtMs - Date.now() > KEY_MARGIN_MS);
  if (isGood) return key;
  const making = makings.get(accountId) ?? options.makeKey().finally(() => makings.delete(accountId));
  makings.set(accountId, making);
  const made = await making;
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
