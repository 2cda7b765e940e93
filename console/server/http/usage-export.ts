import { findRole } from '@tollgate/db/queries/members';
import { isKnownTimeZone } from '@tollgate/db/queries/usage-report/periods';
import { Hono, type Context } from 'hono';
import type { Deps } from '../deps.ts';
import { createExportSlots } from '../exports/export-slots.ts';
import { streamTable } from '../exports/stream-table.ts';
import { tableText, type ExportFormat } from '../exports/table-text.ts';
import { exportUsage, usageColumns } from '../usage/export-usage.ts';
import { usageExportSchema } from '../usage/usage-query.ts';
import type { AppEnv } from './app-env.ts';
import { readPageSession } from './page-session.ts';

const MAX_PER_PERSON = 2;

/** The usage of an account as a file, for everybody in it: every group of every step, none summed up as others. */
export function usageExportRoutes(deps: Deps) {
  const slots = createExportSlots(MAX_PER_PERSON);
  const send = async (c: Context<AppEnv>, format: ExportFormat) => {
    c.header('cache-control', 'no-store');
    const session = await readPageSession(c, deps);
    if (session === null) return c.text('Sign in to the console first.\n', 401);
    const { accountId = '', ...parameters } = c.req.query();
    const role = await findRole(deps.db, { userId: session.user.id, accountId });
    if (role === null) return c.text('There is no such account.\n', 404);
    const query = usageExportSchema.safeParse(parameters);
    if (!query.success) return c.text(`${query.error.issues[0]?.message ?? 'Not a report.'}\n`, 400);
    const giveBack = slots.take(session.user.id);
    if (giveBack === null) return c.text('Wait until your other exports are done.\n', 429);
    const timeZone = (await isKnownTimeZone(deps.db, query.data.timeZone)) ? query.data.timeZone : 'UTC';
    const text = tableText(format, usageColumns(query.data.groupBy));
    const rows = exportUsage(deps, { ...query.data, accountId, timeZone });
    const day = new Date(deps.clock.nowMs()).toISOString().slice(0, 10);
    c.header('content-type', text.contentType);
    c.header('content-disposition', `attachment; filename="usage-${day}.${format}"`);
    return c.body(streamTable(text, rows, giveBack));
  };
  return new Hono<AppEnv>()
    .get('/exports/usage.csv', async (c) => send(c, 'csv'))
    .get('/exports/usage.ndjson', async (c) => send(c, 'ndjson'))
    .get('/exports/usage.json', async (c) => send(c, 'json'));
}
