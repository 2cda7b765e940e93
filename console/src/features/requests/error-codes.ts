import { ERROR_TABLE } from '@tollgate/core/errors/errors';

/** Codes that are none of the gateway's own errors. */
export const OTHER_CODES = ['client_gone', 'upstream_rejected'] as const;

/** Every code that a request can end with. Without their texts, which the list of requests does not need. */
export const ERROR_CODES: readonly string[] = [...Object.keys(ERROR_TABLE), ...OTHER_CODES];
