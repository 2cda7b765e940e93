import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../../lib/stored.ts';

const STORAGE_KEY = 'tollgate-playground-text';
const listeners = new Set<() => void>();
let isPlain = readStored(STORAGE_KEY) === 'plain';

/** Whether responses are shown as they were sent, with the characters of their Markdown. */
export function usePlainText(): boolean {
  return useSyncExternalStore(subscribe, () => isPlain);
}

export function setPlainText(next: boolean): void {
  isPlain = next;
  writeStored(STORAGE_KEY, next ? 'plain' : 'formatted');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
