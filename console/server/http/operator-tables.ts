import { Hono } from 'hono';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import type { ExportSlots } from '../exports/export-slots.ts';
import {
  installationAuditFilterSchema,
  type InstallationAuditFilter,
} from '../operator/audit/audit-filter.ts';
import { exportInstallationAudit, INSTALLATION_AUDIT_COLUMNS } from '../operator/audit/export-audit.ts';
import {
  exportHealthCheckCosts,
  exportLostCacheReads,
  exportProviderCosts,
  HEALTH_CHECK_COLUMNS,
  LOST_CACHE_READ_COLUMNS,
  PROVIDER_COST_COLUMNS,
} from '../operator/export-costs.ts';
import {
  ACCOUNT_COLUMNS,
  accountExportSchema,
  exportAccounts,
  exportPaymentsOfAll,
  exportProviderFigures,
  exportTopAccounts,
  FIGURE_COLUMNS,
  OPERATOR_PAYMENT_COLUMNS,
  paymentExportSchema,
  periodExportSchema,
  TOP_ACCOUNT_COLUMNS,
} from '../operator/export-money.ts';
import type { AppEnv } from './app-env.ts';
import { operatorTableExportRoutes, type OperatorTableExport } from './table-export.ts';

/** The tables that operators may export. */
export function operatorTableRoutes(deps: Deps, slots: ExportSlots) {
  return new Hono<AppEnv>()
    .route('/', operatorTableExportRoutes(deps, slots, INSTALLATION_AUDIT))
    .route('/', operatorTableExportRoutes(deps, slots, ACCOUNTS))
    .route('/', operatorTableExportRoutes(deps, slots, INSTALLATION_PAYMENTS))
    .route('/', operatorTableExportRoutes(deps, slots, PROVIDER_FIGURES))
    .route('/', operatorTableExportRoutes(deps, slots, TOP_ACCOUNTS))
    .route('/', operatorTableExportRoutes(deps, slots, PROVIDER_COSTS))
    .route('/', operatorTableExportRoutes(deps, slots, LOST_CACHE_READS))
    .route('/', operatorTableExportRoutes(deps, slots, HEALTH_CHECKS));
}

type Period = z.output<typeof periodExportSchema>;

const INSTALLATION_AUDIT: OperatorTableExport<InstallationAuditFilter> = {
  name: 'installation-audit',
  querySchema: installationAuditFilterSchema,
  open: (deps, filter) => ({
    columns: INSTALLATION_AUDIT_COLUMNS,
    rows: exportInstallationAudit(deps, filter),
  }),
};

const ACCOUNTS: OperatorTableExport<z.output<typeof accountExportSchema>> = {
  name: 'accounts',
  querySchema: accountExportSchema,
  open: (deps, filter) => ({ columns: ACCOUNT_COLUMNS, rows: exportAccounts(deps, filter) }),
};

const INSTALLATION_PAYMENTS: OperatorTableExport<z.output<typeof paymentExportSchema>> = {
  name: 'installation-payments',
  querySchema: paymentExportSchema,
  open: (deps, filter) => ({ columns: OPERATOR_PAYMENT_COLUMNS, rows: exportPaymentsOfAll(deps, filter) }),
};

const PROVIDER_FIGURES: OperatorTableExport<Period> = {
  name: 'provider-figures',
  querySchema: periodExportSchema,
  open: (deps, period) => ({ columns: FIGURE_COLUMNS, rows: exportProviderFigures(deps, period) }),
};

const TOP_ACCOUNTS: OperatorTableExport<Period> = {
  name: 'top-accounts',
  querySchema: periodExportSchema,
  open: (deps, period) => ({ columns: TOP_ACCOUNT_COLUMNS, rows: exportTopAccounts(deps, period) }),
};

const PROVIDER_COSTS: OperatorTableExport<Period> = {
  name: 'provider-costs',
  querySchema: periodExportSchema,
  open: (deps, period) => ({ columns: PROVIDER_COST_COLUMNS, rows: exportProviderCosts(deps, period) }),
};

const LOST_CACHE_READS: OperatorTableExport<Period> = {
  name: 'lost-cache-reads',
  querySchema: periodExportSchema,
  open: (deps, period) => ({ columns: LOST_CACHE_READ_COLUMNS, rows: exportLostCacheReads(deps, period) }),
};

const HEALTH_CHECKS: OperatorTableExport<Period> = {
  name: 'health-check-costs',
  querySchema: periodExportSchema,
  open: (deps, period) => ({ columns: HEALTH_CHECK_COLUMNS, rows: exportHealthCheckCosts(deps, period) }),
};
