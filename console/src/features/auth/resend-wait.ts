const keyOf = (email: string) => `tollgate-resend:${email}`;

/** Notes in this tab how long another email to an address has to wait, so that a reload keeps the countdown. */
export function rememberWait(email: string, seconds: number): void {
  try {
    sessionStorage.setItem(keyOf(email), String(Date.now() + seconds * 1_000));
  } catch {
    // Without storage the button offers itself immediately, and the server says how long to wait.
  }
}

/** The seconds that are left of what was noted; 0 if nothing was. */
export function readWaitSeconds(email: string): number {
  try {
    const untilMs = Number(sessionStorage.getItem(keyOf(email)));
    return Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000));
  } catch {
    return 0;
  }
}
