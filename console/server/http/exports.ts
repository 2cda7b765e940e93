import { requestFilterSchema, type RequestFilter } from '@tollgate/core/requests/request-filter';
import { statementMonthSchema, type StatementMonth } from '@tollgate/core/money/statement-month';
import { readStatement } from '@tollgate/db/queries/ledger/statements/read-statement';
import { isKnownTimeZone } from '@tollgate/db/queries/usage/report/periods';
import { Hono } from 'hono';
import { z } from 'zod';
import { auditFilterSchema, type AuditFilter } from '../audit/audit-filter.ts';
import type { Deps } from '../deps.ts';
import { AUDIT_COLUMNS, exportAudit } from '../audit/export-audit.ts';
import {
  installationAuditFilterSchema,
  type InstallationAuditFilter,
} from '../operator/audit/audit-filter.ts';
import { exportInstallationAudit, INSTALLATION_AUDIT_COLUMNS } from '../operator/audit/export-audit.ts';
import { createExportSlots } from '../exports/export-slots.ts';
import { exportRequests, REQUEST_COLUMNS } from '../requests/export-requests.ts';
import { exportStatement, STATEMENT_COLUMNS } from '../statements/export-statement.ts';
import { exportUsage, usageColumns } from '../usage/export-usage.ts';
import { usageExportSchema, type UsageExportQuery } from '../usage/usage-query.ts';
import type { AppEnv } from './app-env.ts';
import {
  operatorTableExportRoutes,
  tableExportRoutes,
  type OperatorTableExport,
  type TableExport,
} from './table-export.ts';

/** Of all tables together. */
const MAX_PER_PERSON = 2;

/** What the members of an account can take with them as files, each by the same filter as its page. */
export function exportRoutes(deps: Deps) {
  const slots = createExportSlots(MAX_PER_PERSON);
  return new Hono<AppEnv>()
    .route('/', tableExportRoutes(deps, slots, AUDIT))
    .route('/', operatorTableExportRoutes(deps, slots, INSTALLATION_AUDIT))
    .route('/', tableExportRoutes(deps, slots, REQUESTS))
    .route('/', tableExportRoutes(deps, slots, USAGE))
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

const INSTALLATION_AUDIT: OperatorTableExport<InstallationAuditFilter> = {
  name: 'installation-audit',
  querySchema: installationAuditFilterSchema,
  open: (deps, filter) => ({
    columns: INSTALLATION_AUDIT_COLUMNS,
    rows: exportInstallationAudit(deps, filter),
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
    const timeZone = (await isKnownTimeZone(deps.db, query.timeZone)) ? query.timeZone : 'UTC';
    return {
      columns: usageColumns(query.groupBy),
      rows: exportUsage(deps, { ...query, accountId, timeZone }),
    };
  },
};

/** Every movement and charge of a month, between its opening and its closing balance. */
const STATEMENT: TableExport<{ month: StatementMonth }> = {
  name: 'statement',
  isForAdmins: false,
  querySchema: z.object({ month: statementMonthSchema }),
  async open({ db, clock }, accountId, { month }) {
    const statement = await readStatement(db, { accountId, month, nowMs: clock.nowMs() });
    if (statement === null) return null;
    const period = statement.state === 'final' ? month : `${month}-not-final`;
    return { columns: STATEMENT_COLUMNS, rows: exportStatement(statement), period };
  },
};
