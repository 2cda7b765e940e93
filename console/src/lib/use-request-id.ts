import { useRef } from 'react';

/** Idempotency key per input, so that a retry after a lost connection is not done twice. */
export function useRequestId(): (wish: object) => string {
  const last = useRef<{ wish: string; id: string } | null>(null);
  return (wish) => {
    const text = JSON.stringify(wish);
    if (last.current?.wish !== text) last.current = { wish: text, id: crypto.randomUUID() };
    return last.current.id;
  };
}
