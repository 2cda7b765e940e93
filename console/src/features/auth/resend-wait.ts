const getKey = (email: string) => `tollgate-resend:${email}`;

/** Stores the wait for the next email per address in this tab, so that a reload keeps the countdown. */
export function rememberWait(email: string, seconds: number): void {
  try {
    sessionStorage.setItem(getKey(email), String(Date.now() + seconds * 1_000));
  } catch {
    // Without storage the button is enabled, and the server returns the wait.
  }
}

/** Seconds left of the stored wait; 0 without one. */
export function readWaitSeconds(email: string): number {
  try {
    const untilMs = Number(sessionStorage.getItem(getKey(email)));
    return Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000));
  } catch {
    return 0;
  }
}
