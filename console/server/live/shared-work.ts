/** How long a result is reused: pages ask every two seconds. */
const FRESH_MS = 900;

/** Callers with the same question within a moment share one result; failures are not reused. */
export function createSharedWork<T>(freshMs = FRESH_MS): (key: string, work: () => Promise<T>) => Promise<T> {
  const recent = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const started = work();
    recent.set(key, started);
    const forget = () => recent.delete(key);
    started.then(() => setTimeout(forget, freshMs).unref(), forget);
    return started;
  };
}
