import {
  REQUEST_FILTER_FIELDS,
  requestIdSchema,
  type RequestFilter,
} from '@tollgate/core/requests/request-filter';
import { z } from 'zod';

const { key, model, status, code, range, from, to, minCost } = REQUEST_FILTER_FIELDS;

/** `429` and `0.05` are read from a URL as numbers. */
const text = (schema: z.ZodString) => z.coerce.string().pipe(schema).optional().catch(undefined);

/** What of the log is shown, kept in the URL. The defaults are absent from it; what is no filter is dropped. */
export const requestsSearchSchema = z.object({
  key: text(key),
  model: text(model),
  status: text(status),
  code: text(code),
  minCost: text(minCost),
  range: range.optional().catch(undefined),
  from: from.optional().catch(undefined),
  to: to.optional().catch(undefined),
  /** Absent: new requests come in by themselves. */
  live: z.literal('off').optional().catch(undefined),
  /** The one that is shown in full. */
  request: requestIdSchema.optional().catch(undefined),
});

export type RequestsSearch = z.infer<typeof requestsSearchSchema>;

/** The part of the URL that the server is asked with. */
export function toFilter(search: RequestsSearch): RequestFilter {
  const { live: _live, request: _request, ...filter } = search;
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** How many things are asked for, the time aside. */
export function countFilters({ key, model, status, code, minCost }: RequestsSearch): number {
  return [key, model, status, code, minCost].filter((value) => value !== undefined).length;
}
