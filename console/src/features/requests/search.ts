import {
  REQUEST_FILTER_FIELDS,
  requestIdSchema,
  type RequestFilter,
} from '@tollgate/core/requests/request-filter';
import { viewIdSchema } from '@tollgate/core/requests/saved-view';
import { z } from 'zod';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';

const { key, model, session, status, code, client, range, from, to, minCost } = REQUEST_FILTER_FIELDS;

/** The router parses `429` and `0.05` as numbers. */
const text = (schema: z.ZodString) => z.coerce.string().pipe(schema).optional().catch(undefined);

/** Filters in the URL. Defaults are omitted, invalid values are dropped. */
export const requestsSearchSchema = z.object({
  key: text(key),
  model: text(model),
  session: text(session),
  status: text(status),
  code: text(code),
  client: text(client),
  minCost: text(minCost),
  range: range.optional().catch(undefined),
  from: from.optional().catch(undefined),
  to: to.optional().catch(undefined),
  /** Absent if the log is live. */
  live: z.literal('off').optional().catch(undefined),
  /** The saved view that is shown, maybe with other filters than it has. */
  view: viewIdSchema.optional().catch(undefined),
  /** ID of the request in the drawer. */
  request: requestIdSchema.optional().catch(undefined),
});

export type RequestsSearch = z.infer<typeof requestsSearchSchema>;

/** The part of the URL that is sent to the server. */
export function toFilter(search: RequestsSearch): RequestFilter {
  const { live: _live, request: _request, view: _view, ...filter } = search;
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  return filter.from === undefined ? { ...given, zone: visitorTimeZone() } : given;
}

/** Number of active filters, not counting the time range. */
export function countFilters(search: RequestsSearch): number {
  const { key, model, session, status, code, client, minCost } = search;
  return [key, model, session, status, code, client, minCost].filter((value) => value !== undefined).length;
}
