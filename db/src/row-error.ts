/**
 * Classes of SQLSTATE that reject the content of a row: cardinality, data, constraints, limits of the program.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const ROW_CLASSES = new Set(['21', '22', '23', '54']);

/** The function of PostgreSQL that reads a composite value: its error means other columns than those of the type. */
const RECORD_READER = 'record_in';

/**
 * True if a row was refused for its content, by the database or before it was sent. Every other error is a problem
 * of the database, to be retried later: no answer, no space, a standby that takes no writes, a wrong password
 * or an unexpected schema, for example after a newer release has migrated it.
 */
export function isRowError(error: unknown): boolean {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (error instanceof Error && 'routine' in error && error.routine === RECORD_READER) return false;
  // Postgres.js and Node name each error of a connection; what has no name was thrown while the statement was written.
  return code === null || (code.length === 5 && ROW_CLASSES.has(code.slice(0, 2)));
}
