import { useSyncExternalStore } from 'react';
import { queryClient } from '../../lib/query-client.ts';
import { onLeave, sessionQuery } from '../../lib/session.ts';
import type { AnswerTurn } from './conversation.ts';
import { EMPTY_PLAYGROUND, type PlaygroundState } from './playground-state.ts';
import { readStoredPlayground, storePlayground } from './stored-playground.ts';

/** Between two writes while a response streams. */
const STORE_EVERY_MS = 500;

const states = new Map<string, PlaygroundState>();
const running = new Map<number, AbortController>();
const unsaved = new Set<string>();
const listeners = new Set<() => void>();
let lastTurnId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

onLeave(() => {
  for (const controller of running.values()) controller.abort();
  running.clear();
  unsaved.clear();
  states.clear();
  notify();
});

// The last chance of a page that is closed or reloaded.
addEventListener('pagehide', save);

export function usePlayground(accountId: string): PlaygroundState {
  return useSyncExternalStore(subscribe, () => readPlayground(accountId));
}

export function readPlayground(accountId: string): PlaygroundState {
  const known = states.get(accountId);
  if (known !== undefined) return known;
  const userId = findUserId();
  const state = (userId === null ? null : readStoredPlayground(userId, accountId)) ?? EMPTY_PLAYGROUND;
  for (const { id } of state.conversations.flat()) lastTurnId = Math.max(lastTurnId, id);
  states.set(accountId, state);
  return state;
}

export function changePlayground(accountId: string, change: Partial<PlaygroundState>): void {
  states.set(accountId, { ...readPlayground(accountId), ...change });
  unsaved.add(accountId);
  timer ??= setTimeout(save, STORE_EVERY_MS);
  notify();
}

/** Updates a streaming response, if it still exists. */
export function changeAnswer(
  accountId: string,
  turnId: number,
  change: (turn: AnswerTurn) => AnswerTurn,
): void {
  const conversations = readPlayground(accountId).conversations.map((turns) =>
    turns.some(({ id }) => id === turnId)
      ? turns.map((turn) => (turn.kind === 'answer' && turn.id === turnId ? change(turn) : turn))
      : turns,
  );
  changePlayground(accountId, { conversations });
}

/** Clears the conversations; settings and key stay. */
export function clearConversation(accountId: string): void {
  stopAnswers(accountId);
  changePlayground(accountId, { conversations: [], results: {}, image: null });
}

export function nextTurnId(): number {
  lastTurnId += 1;
  return lastTurnId;
}

/** @param turnId the response that the controller stops */
export function beginAnswer(turnId: number): AbortController {
  const controller = new AbortController();
  running.set(turnId, controller);
  return controller;
}

export function stopAnswer(turnId: number): void {
  running.get(turnId)?.abort();
  running.delete(turnId);
}

export function stopAnswers(accountId: string): void {
  for (const { id } of readPlayground(accountId).conversations.flat()) stopAnswer(id);
}

function save(): void {
  clearTimeout(timer);
  timer = undefined;
  const userId = findUserId();
  if (userId !== null)
    for (const accountId of unsaved) storePlayground(userId, accountId, readPlayground(accountId));
  unsaved.clear();
}

function findUserId(): string | null {
  return queryClient.getQueryData(sessionQuery.queryKey)?.user?.id ?? null;
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
