/** Classes of SQLSTATE that say nothing against the statement: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const PASSING_CLASSES = new Set(['08', '40', '53', '55', '57', '58']);
const SQLSTATE = /^[0-9A-Z]{5}$/;
/** How postgres.js and Node name a connection that does not come about or breaks: CONNECTION_CLOSED, ECONNREFUSED. */
const CONNECTION_FAULT = /^(CONNECT|E[A-Z]+$)/;

/**
 * True where the database could not be reached, broke off, or could not do it now; false where it refused the statement
 * for what is in it.
 */
export function isUnavailable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  // An errno may have five letters too: EPIPE.
  if (CONNECTION_FAULT.test(code)) return true;
  return SQLSTATE.test(code) && PASSING_CLASSES.has(code.slice(0, 2));
}
