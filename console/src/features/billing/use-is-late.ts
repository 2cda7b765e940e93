import { useEffect, useState } from 'react';

/** Turns true once `afterMs` have passed since the component appeared. */
export function useIsLate(afterMs: number): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isLate;
}
