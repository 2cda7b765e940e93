/** What was found out so long ago is still told: pages ask again every two seconds. */
const FRESH_MS = 900;

/** Anyone who wants the same within a moment gets the same; what failed is tried again by the next one. */
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
