const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param hostname as in `URL`: IPv6 addresses have brackets */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK_NAMES.has(hostname);
}

/**
 * Creates a check that an `Origin` header matches `publicUrl`.
 * For local URLs, localhost, 127.0.0.1 and [::1] are equivalent.
 */
export function createOriginCheck(publicUrl: string): (origin: string | null | undefined) => boolean {
  const ours = new URL(publicUrl);
  return (origin) => {
    if (origin === null || origin === undefined || !URL.canParse(origin)) return false;
    const theirs = new URL(origin);
    if (theirs.origin === ours.origin) return true;
    const isSameMachine = isLoopbackName(ours.hostname) && isLoopbackName(theirs.hostname);
    return isSameMachine && theirs.port === ours.port && theirs.protocol === ours.protocol;
  };
}
