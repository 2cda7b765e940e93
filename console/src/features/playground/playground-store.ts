import { useSyncExternalStore } from 'react';
import { onLeave } from '../../lib/session.ts';
import type { AnswerTurn, ImageInput, Turn } from './conversation.ts';

/** A key kept only in memory. */
export interface HeldKey {
  secret: string;
  origin: 'made' | 'pasted';
  /** null: not known. */
  expiresAtMs: number | null;
}

/** Conversation and draft; survives navigation, ends with the tab. */
export interface PlaygroundState {
  key: HeldKey | null;
  system: string;
  /** As typed: see `parseTools`. */
  tools: string;
  turns: Turn[];
  draft: string;
  image: ImageInput | null;
  /** What tools answer, by the id of the call. */
  results: Readonly<Record<string, string>>;
}

const EMPTY: PlaygroundState = {
  key: null,
  system: '',
  tools: '',
  turns: [],
  draft: '',
  image: null,
  results: {},
};

const states = new Map<string, PlaygroundState>();
const running = new Map<string, AbortController>();
const listeners = new Set<() => void>();
let lastTurnId = 0;

onLeave(() => {
  for (const controller of running.values()) controller.abort();
  running.clear();
  states.clear();
  notify();
});

export function usePlayground(accountId: string): PlaygroundState {
  return useSyncExternalStore(subscribe, () => readPlayground(accountId));
}

export function readPlayground(accountId: string): PlaygroundState {
  return states.get(accountId) ?? EMPTY;
}

export function changePlayground(accountId: string, change: Partial<PlaygroundState>): void {
  states.set(accountId, { ...readPlayground(accountId), ...change });
  notify();
}

/** Updates a streaming response, if it still exists. */
export function changeAnswer(
  accountId: string,
  turnId: number,
  change: (turn: AnswerTurn) => AnswerTurn,
): void {
  const turns = readPlayground(accountId).turns.map((turn) =>
    turn.kind === 'answer' && turn.id === turnId ? change(turn) : turn,
  );
  changePlayground(accountId, { turns });
}

/** Clears the conversation; settings and key stay. */
export function clearConversation(accountId: string): void {
  stopAnswer(accountId);
  changePlayground(accountId, { turns: [], results: {}, image: null });
}

export function nextTurnId(): number {
  lastTurnId += 1;
  return lastTurnId;
}

export function beginAnswer(accountId: string): AbortController {
  stopAnswer(accountId);
  const controller = new AbortController();
  running.set(accountId, controller);
  return controller;
}

export function stopAnswer(accountId: string): void {
  running.get(accountId)?.abort();
  running.delete(accountId);
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
