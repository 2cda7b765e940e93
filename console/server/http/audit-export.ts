import { hasRole } from '@tollgate/core/roles';
import { findRole } from '@tollgate/db/queries/members';
import { Hono, type Context } from 'hono';
import { auditFilterSchema } from '../audit-filter.ts';
import type { Deps } from '../deps.ts';
import { AUDIT_COLUMNS, exportAudit } from '../exports/export-audit.ts';
import { createExportSlots } from '../exports/export-slots.ts';
import { streamTable } from '../exports/stream-table.ts';
import { tableText, type ExportFormat } from '../exports/table-text.ts';
import type { AppEnv } from './app-env.ts';
import { readPageSession } from './page-session.ts';

const MAX_PER_PERSON = 2;

/** The audit log of an account as a file, for its owner and admins, by the same filter as the page. */
export function auditExportRoutes(deps: Deps) {
  const slots = createExportSlots(MAX_PER_PERSON);
  const send = async (c: Context<AppEnv>, format: ExportFormat) => {
    c.header('cache-control', 'no-store');
    const session = await readPageSession(c, deps);
    if (session === null) return c.text('Sign in to the console first.\n', 401);
    const { accountId = '', ...query } = c.req.query();
    const role = await findRole(deps.db, { userId: session.user.id, accountId });
    if (role === null) return c.text('There is no such account.\n', 404);
    if (!hasRole(role, 'admin')) return c.text('This is for the owner and admins of the account.\n', 403);
    const filter = auditFilterSchema.safeParse(query);
    if (!filter.success) return c.text(`${filter.error.issues[0]?.message ?? 'Not a filter.'}\n`, 400);
    const giveBack = slots.take(session.user.id);
    if (giveBack === null) return c.text('Wait until your other exports are done.\n', 429);
    const text = tableText(format, AUDIT_COLUMNS);
    const rows = exportAudit(deps, { ...filter.data, accountId });
    const day = new Date(deps.clock.nowMs()).toISOString().slice(0, 10);
    c.header('content-type', text.contentType);
    c.header('content-disposition', `attachment; filename="audit-${day}.${format}"`);
    return c.body(streamTable(text, rows, giveBack));
  };
  return new Hono<AppEnv>()
    .get('/exports/audit.csv', async (c) => send(c, 'csv'))
    .get('/exports/audit.json', async (c) => send(c, 'json'))
    .get('/exports/audit.ndjson', async (c) => send(c, 'ndjson'));
}
