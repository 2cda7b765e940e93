/**
 * What a page keeps in this browser tab until it is closed: it survives a reload, and no other tab reads it. It ends
 * with the session, also if its page is not loaded then.
 */
const PREFIX = 'tollgate-tab:';

/** null: nothing is kept, or storage is blocked. */
export function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/**
 * @param value null: remove it
 * @returns false if the browser refuses it, because it is too large or storage is blocked
 */
export function writeTab(key: string, value: string | null): boolean {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, value);
    return true;
  } catch {
    return false;
  }
}

/** Removes everything, except what belongs to the user with this id. */
export function clearTab(exceptUserId: string | null): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      const isOwn = exceptUserId !== null && key.startsWith(`${PREFIX}${exceptUserId}:`);
      if (key.startsWith(PREFIX) && !isOwn) sessionStorage.removeItem(key);
    }
  } catch {
    // Without storage nothing is kept.
  }
}
