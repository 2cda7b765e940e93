import { ERROR_TABLE } from '@tollgate/core/errors/errors';

/** Codes besides the gateway's own errors. */
export const OTHER_CODES = ['client_gone', 'replica_lost', 'upstream_rejected'] as const;

/** Every code that a request can end with, without texts, which the log does not need. */
export const ERROR_CODES: readonly string[] = [...Object.keys(ERROR_TABLE), ...OTHER_CODES];
