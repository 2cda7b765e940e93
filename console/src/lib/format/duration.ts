const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** `0 ms`, `431 ms`, `1.24 s`, `12.4 s`, `2 min 5 s`, `3 h 20 min`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)} ms`;
  if (durationMs < 10 * SECOND_MS) return `${(durationMs / SECOND_MS).toFixed(2)} s`;
  if (durationMs < MINUTE_MS) return `${(durationMs / SECOND_MS).toFixed(1)} s`;
  if (durationMs >= HOUR_MS) {
    const minutes = Math.round(durationMs / MINUTE_MS);
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  const seconds = Math.round(durationMs / SECOND_MS);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const ONE_UNIT = /^[\d.]+ (m?s)$/;

/** Two adjacent durations share a unit: `331` and `545 ms`, but `431 ms` and `1.24 s`. */
export function formatDurationPair(firstMs: number, secondMs: number): [first: string, second: string] {
  const [first, second] = [formatDuration(firstMs), formatDuration(secondMs)];
  const unit = ONE_UNIT.exec(first)?.[1];
  const isShared = unit !== undefined && unit === ONE_UNIT.exec(second)?.[1];
  return [isShared ? first.slice(0, -unit.length - 1) : first, second];
}
