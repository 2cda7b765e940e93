import { useCallback, useEffect, useState } from 'react';

/** A countdown in whole seconds: `[secondsLeft, startFrom]`. */
export function useCountdown(initialSeconds: number): [number, (seconds: number) => void] {
  const [endsAtMs, setEndsAtMs] = useState(() => Date.now() + initialSeconds * 1_000);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const secondsLeft = Math.max(0, Math.ceil((endsAtMs - nowMs) / 1_000));
  const isRunning = secondsLeft > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const startFrom = useCallback((seconds: number) => {
    setNowMs(Date.now());
    setEndsAtMs(Date.now() + seconds * 1_000);
  }, []);
  return [secondsLeft, startFrom];
}
