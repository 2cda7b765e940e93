import { hasRole } from '@tollgate/core/people/roles';
import { Hono, type Context } from 'hono';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import type { ExportSlots } from '../exports/export-slots.ts';
import { streamTable } from '../exports/stream-table.ts';
import { EXPORT_FORMATS, tableText, type Cell, type ExportFormat } from '../exports/table-text.ts';
import type { AppEnv } from './app-env.ts';
import { findPageMembership, readPageSession } from './page-session.ts';

/** A table of an account that its members may take as a file. */
export interface TableExport<Query> {
  /** Of the path and of the file: `/exports/usage.csv` is a `usage-2026-11-22.csv`. */
  name: string;
  isForAdmins: boolean;
  /** What the URL says next to the account. */
  querySchema: z.ZodType<Query>;
  /** null: the table does not exist. */
  open(deps: Deps, accountId: string, query: Query): OpenTable | Promise<OpenTable | null>;
}

interface OpenTable {
  /** The date in the file's name. Default: today. */
  period?: string;
  columns: readonly string[];
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** A path for each format of a table. A person's exports share `slots` with those of other tables. */
export function tableExportRoutes<Query>(deps: Deps, slots: ExportSlots, table: TableExport<Query>) {
  const send = async (c: Context<AppEnv>, format: ExportFormat) => {
    c.header('cache-control', 'no-store');
    const session = await readPageSession(c, deps);
    if (session === null) return c.text('Sign in to the console first.\n', 401);
    const { accountId = '', ...parameters } = c.req.query();
    const membership = await findPageMembership(deps, session, accountId);
    if (membership === null) return c.text('This account does not exist.\n', 404);
    const { role, requiresTwoFactor } = membership;
    if (requiresTwoFactor && !session.secondFactor.isConfirmed)
      return c.text(
        'This account requires two-factor authentication. Set it up in the console first.\n',
        403,
      );
    if (table.isForAdmins && !hasRole(role, 'admin'))
      return c.text('Only the owner and admins of the account can do this.\n', 403);
    return sendTable(c, { deps, slots, format, table, userId: session.user.id }, parameters, async (query) =>
      table.open(deps, accountId, query),
    );
  };
  return formatRoutes(table.name, send);
}

/** A table of the installation that operators may export. */
export interface OperatorTableExport<Query> extends Pick<TableExport<Query>, 'name' | 'querySchema'> {
  open(deps: Deps, query: Query): OpenTable;
}

/** As {@link tableExportRoutes}, for operators. */
export function operatorTableExportRoutes<Query>(
  deps: Deps,
  slots: ExportSlots,
  table: OperatorTableExport<Query>,
) {
  return formatRoutes(table.name, async (c, format) => {
    c.header('cache-control', 'no-store');
    const session = await readPageSession(c, deps);
    if (session === null) return c.text('Sign in to the console first.\n', 401);
    if (!session.user.isOperator) return c.text('Only operators can do this.\n', 403);
    const userId = session.user.id;
    return sendTable(c, { deps, slots, format, table, userId }, c.req.query(), async (query) =>
      table.open(deps, query),
    );
  });
}

function formatRoutes(name: string, send: (c: Context<AppEnv>, format: ExportFormat) => Promise<Response>) {
  const routes = new Hono<AppEnv>();
  for (const format of EXPORT_FORMATS) routes.get(`/exports/${name}.${format}`, async (c) => send(c, format));
  return routes;
}

interface Sending<Query> {
  deps: Deps;
  slots: ExportSlots;
  format: ExportFormat;
  table: Pick<TableExport<Query>, 'name' | 'querySchema'>;
  userId: string;
}

/** Streams the rows to a user who may export them. */
async function sendTable<Query>(
  c: Context<AppEnv>,
  { deps, slots, format, table, userId }: Sending<Query>,
  parameters: Record<string, string>,
  open: (query: Query) => Promise<OpenTable | null>,
): Promise<Response> {
  const query = table.querySchema.safeParse(parameters);
  if (!query.success) return c.text(`${query.error.issues[0]?.message ?? 'Invalid filter.'}\n`, 400);
  const giveBack = slots.take(userId);
  if (giveBack === null) return c.text('Too many exports are running. Wait until one is done.\n', 429);
  try {
    const opened = await open(query.data);
    if (opened === null) {
      giveBack();
      return c.text(`This ${table.name} does not exist.\n`, 404);
    }
    const { columns, rows, period = new Date(deps.clock.nowMs()).toISOString().slice(0, 10) } = opened;
    const text = tableText(format, columns);
    c.header('content-type', text.contentType);
    c.header('content-disposition', `attachment; filename="${table.name}-${period}.${format}"`);
    if (c.req.method !== 'HEAD') return c.body(streamTable(text, rows, giveBack));
    // Only headers are sent on: no one would read a stream to its end.
    giveBack();
    return c.body(null);
  } catch (error) {
    giveBack();
    throw error;
  }
}
