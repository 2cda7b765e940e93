import { useEffect, useEffectEvent } from 'react';

let isWished = false;
const listeners = new Set<() => void>();

/** Asks the list of keys, now or when it is opened, to open its dialog for a new one. */
export function wishNewKey(): void {
  isWished = true;
  for (const listener of listeners) listener();
}

/** Grants such a wish, once. */
export function useNewKeyWish(grant: () => void, isAllowed: boolean): void {
  const take = useEffectEvent(() => {
    if (!isWished) return;
    isWished = false;
    if (isAllowed) grant();
  });
  useEffect(() => {
    const listener = () => take();
    listener();
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}
