import type { Dialect } from '@tollgate/core/models/dialect';
import { ERROR_TABLE, getRetryAfterMs, type ErrorCode } from '@tollgate/core/errors/errors';
import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { getErrorFormat } from '../errors/render-error.ts';
import { ERROR_SUMMARIES } from '@tollgate/core/errors/error-summaries';
import { ERROR_HEADERS, RETRY_HEADERS } from './headers.ts';
import { ERROR_CODES, ERROR_SCHEMAS } from './schemas/error.ts';

const EXAMPLE_REQUEST_ID = 'req_01k9zq3v5x7c9e1g3j5m7p9r1t';

/** Errors of every endpoint that requires a key. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  ...ERROR_CODES.filter((code) => ERROR_TABLE[code].status === 401),
  'internal_error',
];

const OF_OTHER_REQUESTS: ReadonlySet<ErrorCode> = new Set(['route_not_found', 'websocket_not_supported']);

/** Errors of model endpoints: all except those of unknown routes and methods. */
export const COMPLETION_ERRORS = ERROR_CODES.filter((code) => !OF_OTHER_REQUESTS.has(code));

/** Error responses by status, with an example for each code as the gateway writes it. */
export function errorResponses(
  dialects: readonly [Dialect, ...Dialect[]],
  codes: readonly ErrorCode[],
): ZodOpenApiResponsesObject {
  const found = dialects.flatMap((dialect) =>
    codes.map((code) => {
      const error = { code, message: ERROR_SUMMARIES[code] };
      const spec = getErrorFormat(dialect);
      const value: unknown = JSON.parse(spec.body(error, EXAMPLE_REQUEST_ID));
      const name = dialects.length === 1 ? code : `${code} (${dialect})`;
      const isRetryable = getRetryAfterMs(error) !== null;
      const summary = `\`${code}\`: ${error.message}`;
      return { status: spec.getStatus(error), isRetryable, summary, name, value };
    }),
  );
  const [spec, ...others] = dialects;
  const schema =
    others.length === 0
      ? ERROR_SCHEMAS[spec]
      : z.union([ERROR_SCHEMAS[spec], ...others.map((other) => ERROR_SCHEMAS[other])]);
  return Object.fromEntries(
    [...Map.groupBy(found, (each) => each.status)].map(([status, errors]) => [
      status,
      {
        description: [...new Set(errors.map(({ summary }) => summary))].join('\n\n'),
        headers: errors.some(({ isRetryable }) => isRetryable) ? RETRY_HEADERS : ERROR_HEADERS,
        content: {
          'application/json': {
            schema,
            examples: Object.fromEntries(errors.map(({ name, value }) => [name, { value }])),
          },
        },
      },
    ]),
  );
}
