import { useSyncExternalStore } from 'react';

/** Whether the console's server answered the last call. The query client writes it, the banner reads it. */
let isReachable = true;
const listeners = new Set<() => void>();

export function setReachable(next: boolean): void {
  if (next === isReachable) return;
  isReachable = next;
  for (const listener of listeners) listener();
}

export function useIsReachable(): boolean {
  return useSyncExternalStore(subscribe, () => isReachable);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
