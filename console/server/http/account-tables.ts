import { statementMonthSchema, type StatementMonth } from '@tollgate/core/money/statement-month';
import { requestFilterSchema, type RequestFilter } from '@tollgate/core/requests/request-filter';
import { readStatement } from '@tollgate/db/queries/ledger/statements/read-statement';
import { findTimeZone } from '@tollgate/db/queries/usage/report/periods';
import { Hono } from 'hono';
import { z } from 'zod';
import { auditFilterSchema, type AuditFilter } from '../audit/audit-filter.ts';
import { AUDIT_COLUMNS, exportAudit } from '../audit/export-audit.ts';
import type { Deps } from '../deps.ts';
import type { ExportSlots } from '../exports/export-slots.ts';
import { exportKeys, KEY_COLUMNS, keyExportSchema } from '../keys/export-keys.ts';
import {
  ENTRY_COLUMNS,
  exportEntries,
  exportPayments,
  exportStatementList,
  PAYMENT_COLUMNS,
  STATEMENT_LIST_COLUMNS,
} from '../payments/export-billing.ts';
import { exportRequests, REQUEST_COLUMNS } from '../requests/export-requests.ts';
import { exportStatement, STATEMENT_COLUMNS } from '../statements/export-statement.ts';
import { getFilePeriod } from '../statements/statement-view.ts';
import { exportUsage, usageColumns } from '../usage/export-usage.ts';
import { usageExportSchema, type UsageExportQuery } from '../usage/usage-query.ts';
import type { AppEnv } from './app-env.ts';
import { tableExportRoutes, type TableExport } from './table-export.ts';

/** The tables that members of an account may export. */
export function accountTableRoutes(deps: Deps, slots: ExportSlots) {
  return new Hono<AppEnv>()
    .route('/', tableExportRoutes(deps, slots, AUDIT))
    .route('/', tableExportRoutes(deps, slots, REQUESTS))
    .route('/', tableExportRoutes(deps, slots, USAGE))
    .route('/', tableExportRoutes(deps, slots, KEYS))
    .route('/', tableExportRoutes(deps, slots, ACTIVITY))
    .route('/', tableExportRoutes(deps, slots, PAYMENTS))
    .route('/', tableExportRoutes(deps, slots, STATEMENTS))
    .route('/', tableExportRoutes(deps, slots, STATEMENT));
}

const AUDIT: TableExport<AuditFilter> = {
  name: 'audit',
  isForAdmins: true,
  querySchema: auditFilterSchema,
  open: (deps, accountId, filter) => ({
    columns: AUDIT_COLUMNS,
    rows: exportAudit(deps, { ...filter, accountId }),
  }),
};

const REQUESTS: TableExport<RequestFilter> = {
  name: 'requests',
  isForAdmins: false,
  querySchema: requestFilterSchema,
  open: (deps, accountId, filter) => ({
    columns: REQUEST_COLUMNS,
    rows: exportRequests(deps, { accountId, filter }),
  }),
};

/** Every group of every step, none summed up as others. */
const USAGE: TableExport<UsageExportQuery> = {
  name: 'usage',
  isForAdmins: false,
  querySchema: usageExportSchema,
  async open(deps, accountId, query) {
    const timeZone = await findTimeZone(deps.db, query.timeZone);
    return {
      columns: usageColumns(query.groupBy),
      rows: exportUsage(deps, { ...query, accountId, timeZone }),
    };
  },
};

const KEYS: TableExport<z.output<typeof keyExportSchema>> = {
  name: 'keys',
  isForAdmins: false,
  querySchema: keyExportSchema,
  open: (deps, accountId, query) => ({
    columns: KEY_COLUMNS,
    rows: exportKeys(deps, { ...query, accountId }),
  }),
};

const ALL = z.object({});

/** Every movement of the balance. */
const ACTIVITY: TableExport<z.output<typeof ALL>> = {
  name: 'activity',
  isForAdmins: false,
  querySchema: ALL,
  open: (deps, accountId) => ({ columns: ENTRY_COLUMNS, rows: exportEntries(deps, accountId) }),
};

const PAYMENTS: TableExport<z.output<typeof ALL>> = {
  name: 'payments',
  isForAdmins: false,
  querySchema: ALL,
  open: (deps, accountId) => ({ columns: PAYMENT_COLUMNS, rows: exportPayments(deps, accountId) }),
};

const STATEMENTS: TableExport<z.output<typeof ALL>> = {
  name: 'statements',
  isForAdmins: false,
  querySchema: ALL,
  open: (deps, accountId) => ({
    columns: STATEMENT_LIST_COLUMNS,
    rows: exportStatementList(deps, accountId),
  }),
};

/** Every movement and charge of a month, between its opening and its closing balance. */
const STATEMENT: TableExport<{ month: StatementMonth }> = {
  name: 'statement',
  isForAdmins: false,
  querySchema: z.object({ month: statementMonthSchema }),
  async open({ db, clock, settings }, accountId, { month }) {
    const statement = await readStatement(db, { accountId, month, nowMs: clock.nowMs() });
    if (statement === null) return null;
    return {
      columns: STATEMENT_COLUMNS,
      rows: exportStatement(statement, settings.receiptIssuer),
      period: getFilePeriod(statement),
    };
  },
};
