/**
 * Every URL of the console. It imports nothing, so that any feature may take it.
 * The server's mails link to `verify`, `reset` and `confirmEmail`, and the first-run link to `signUp`.
 */
export const paths = {
  home: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  verify: '/verify',
  forgot: '/forgot',
  reset: '/reset',
  keys: '/keys',
  billing: '/billing',
  settings: '/settings',
  confirmEmail: '/settings/confirm-email',
  mailbox: '/dev/mailbox',
  mail: '/dev/mailbox/$id',
} as const;

/** The printable receipt of a payment: a page that the server writes, not one of the app's. */
export function receiptPath(paymentId: string): string {
  return `/receipts/${encodeURIComponent(paymentId)}`;
}

/** Keeps a return path inside this console: `//elsewhere.example` and absolute URLs are dropped. */
export function toInternalPath(candidate: string | undefined): string | undefined {
  if (candidate === undefined || !/^\/(?![/\\])/.test(candidate)) return undefined;
  return candidate;
}
