import { requestFilterSchema } from '@tollgate/core/request-filter';
import { findRole } from '@tollgate/db/queries/members';
import { Hono, type Context } from 'hono';
import type { Deps } from '../deps.ts';
import { createExportSlots } from '../exports/export-slots.ts';
import { streamTable } from '../exports/stream-table.ts';
import { tableText, type ExportFormat } from '../exports/table-text.ts';
import { exportRequests, REQUEST_COLUMNS } from '../requests/export-requests.ts';
import type { AppEnv } from './app-env.ts';
import { readPageSession } from './page-session.ts';

const MAX_PER_PERSON = 2;

/** The request log as a file, for everybody in the account, by the same filter as the page. */
export function requestExportRoutes(deps: Deps) {
  const slots = createExportSlots(MAX_PER_PERSON);
  const send = async (c: Context<AppEnv>, format: ExportFormat) => {
    c.header('cache-control', 'no-store');
    const session = await readPageSession(c, deps);
    if (session === null) return c.text('Sign in to the console first.\n', 401);
    const { accountId = '', ...query } = c.req.query();
    const role = await findRole(deps.db, { userId: session.user.id, accountId });
    if (role === null) return c.text('There is no such account.\n', 404);
    const filter = requestFilterSchema.safeParse(query);
    if (!filter.success) return c.text(`${filter.error.issues[0]?.message ?? 'Not a filter.'}\n`, 400);
    const giveBack = slots.take(session.user.id);
    if (giveBack === null) return c.text('Wait until your other exports are done.\n', 429);
    const text = tableText(format, REQUEST_COLUMNS);
    const rows = exportRequests(deps, { accountId, filter: filter.data });
    const day = new Date(deps.clock.nowMs()).toISOString().slice(0, 10);
    c.header('content-type', text.contentType);
    c.header('content-disposition', `attachment; filename="requests-${day}.${format}"`);
    return c.body(streamTable(text, rows, giveBack));
  };
  return new Hono<AppEnv>()
    .get('/exports/requests.csv', async (c) => send(c, 'csv'))
    .get('/exports/requests.ndjson', async (c) => send(c, 'ndjson'))
    .get('/exports/requests.json', async (c) => send(c, 'json'));
}
