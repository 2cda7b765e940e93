import { computeDriftPpm } from '@tollgate/core/money/cost-drift';
import { formatUsd } from '@tollgate/core/money/money';
import { findLastDays, timeZoneSchema } from '@tollgate/core/requests/last-days';
import { listHeadsForOperator } from '@tollgate/db/queries/documents/list-documents';
import { listTopAccounts, type TopAccount } from '@tollgate/db/queries/operator/account-figures';
import {
  ACCOUNT_STATES,
  listAccountsForOperator,
  type ListedAccount,
} from '@tollgate/db/queries/operator/list-accounts';
import { listPaymentsForOperator, type PaymentOfAccount } from '@tollgate/db/queries/operator/payments';
import { listProviderFigures, type ProviderFigures } from '@tollgate/db/queries/usage/providers/overview';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { exportList, exportPages, getNames, type ExportColumn } from '../exports/export-pages.ts';
import type { Cell } from '../exports/table-text.ts';
import { addDocuments, PAYMENT_MONEY, type PaymentWithDocuments } from '../payments/payment-columns.ts';
import { addCounts, toQuantiles } from '../usage/read-times.ts';
import { PAYMENT_STATES } from '@tollgate/core/money/payment-states';

type Rows = AsyncGenerator<Cell[][]>;

const RECENT_SPEND_DAYS = 30;
const PERIOD_DAYS = { today: 1, '7d': 7, '30d': 30 } as const;
/** More accounts than most installations have; `docs/operations.md` names it. The list is in memory. */
const MAX_ACCOUNTS = 100_000;

const searchSchema = z.string().trim().max(100).optional();
const zoneSchema = timeZoneSchema.default('UTC');

const ACCOUNTS: readonly ExportColumn<ListedAccount>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['owner', ({ ownerEmail }) => ownerEmail],
  ['plan', ({ planId }) => planId],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['suspended_at', ({ suspendedAt }) => suspendedAt?.toISOString() ?? null],
  ['cost_last_30_days_usd', ({ spentNanoUsd }) => formatUsd(spentNanoUsd)],
  ['balance_usd', ({ availableNanoUsd }) => formatUsd(availableNanoUsd)],
];

export const ACCOUNT_COLUMNS = getNames(ACCOUNTS);

export const accountExportSchema = z.object({
  state: z.enum(ACCOUNT_STATES).default('all'),
  search: searchSchema,
  zone: zoneSchema,
});

/** All accounts that match a filter, newest first. */
export function exportAccounts(
  { db, clock }: Deps,
  { zone, ...filter }: z.output<typeof accountExportSchema>,
): Rows {
  const days = { days: RECENT_SPEND_DAYS, timeZone: zone, nowMs: clock.nowMs() };
  const since = new Date(findLastDays(days).fromMs);
  return exportPages({
    clock,
    columns: ACCOUNTS,
    async read(page) {
      const { accounts, nextCursor } = await listAccountsForOperator(db, { ...filter, ...page, since });
      return { rows: accounts, nextCursor };
    },
  });
}

const PAYMENTS: readonly ExportColumn<PaymentOfAccount & PaymentWithDocuments>[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['account_id', ({ accountId }) => accountId],
  ['account_name', ({ accountName }) => accountName],
  ['payer', ({ payerEmail }) => payerEmail],
  ['kind', ({ kind }) => kind],
  ['provider', ({ provider }) => provider],
  ['status', ({ state }) => state],
  ['failure', ({ failure }) => failure],
  ...PAYMENT_MONEY,
];

export const OPERATOR_PAYMENT_COLUMNS = getNames(PAYMENTS);

export const paymentExportSchema = z.object({
  state: z.enum(PAYMENT_STATES).optional(),
  search: searchSchema,
});

/** Payments of all accounts that match a filter, newest first. */
export function exportPaymentsOfAll({ db, clock }: Deps, filter: z.output<typeof paymentExportSchema>): Rows {
  return exportPages({
    clock,
    columns: PAYMENTS,
    async read(page) {
      const { payments, nextCursor } = await listPaymentsForOperator(db, { ...filter, ...page });
      const documents = await listHeadsForOperator(
        db,
        payments.map(({ id }) => id),
      );
      return { rows: addDocuments(payments, documents), nextCursor };
    },
  });
}

export const periodExportSchema = z.object({
  period: z.enum(['today', '7d', '30d']).default('7d'),
  zone: zoneSchema,
});
export type ExportedPeriod = z.output<typeof periodExportSchema>;

export function findPeriod({ clock }: Deps, { period, zone }: ExportedPeriod): { from: Date; to: Date } {
  const days = { days: PERIOD_DAYS[period], timeZone: zone, nowMs: clock.nowMs() };
  const { fromMs, toMs } = findLastDays(days);
  return { from: new Date(fromMs), to: new Date(toMs) };
}

const FIGURES: readonly ExportColumn<ProviderFigures>[] = [
  ['provider', ({ provider }) => provider],
  ['model', ({ model }) => model],
  ['requests', ({ requests }) => requests],
  ['failed', ({ errors }) => errors],
  ['revenue_usd', (row) => formatUsd(row.chargedNanoUsd)],
  ['provider_cost_usd', (row) => formatUsd(row.providerCostNanoUsd)],
  ['margin_usd', (row) => formatUsd(row.chargedNanoUsd - row.providerCostNanoUsd)],
  ['drift_ppm', (row) => computeDriftPpm(row)],
  ['latency_p50_ms', ({ latency }) => toQuantiles(addCounts([latency])).p50Ms],
  ['latency_p95_ms', ({ latency }) => toQuantiles(addCounts([latency])).p95Ms],
  ['first_byte_p50_ms', ({ firstByte }) => toQuantiles(addCounts([firstByte])).p50Ms],
  ['first_byte_p95_ms', ({ firstByte }) => toQuantiles(addCounts([firstByte])).p95Ms],
];

export const FIGURE_COLUMNS = getNames(FIGURES);

/** Money and latency by provider and model in a period of the overview. */
export function exportProviderFigures(deps: Deps, period: ExportedPeriod): Rows {
  return exportList(FIGURES, async () => listProviderFigures(deps.db, findPeriod(deps, period)));
}

const TOP: readonly ExportColumn<TopAccount>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['owner', ({ ownerEmail }) => ownerEmail],
  ['requests', ({ requests }) => requests],
  ['failed', ({ errors }) => errors],
  ['revenue_usd', ({ chargedNanoUsd }) => formatUsd(chargedNanoUsd)],
];

export const TOP_ACCOUNT_COLUMNS = getNames(TOP);

/** Accounts with requests in a period of the overview, highest revenue first, up to {@link MAX_ACCOUNTS}. */
export function exportTopAccounts(deps: Deps, period: ExportedPeriod): Rows {
  return exportList(TOP, async () =>
    listTopAccounts(deps.db, { range: findPeriod(deps, period), limit: MAX_ACCOUNTS }),
  );
}
