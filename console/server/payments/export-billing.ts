import { formatUsd } from '@tollgate/core/money/money';
import { listPaymentHeads } from '@tollgate/db/queries/documents/list-documents';
import { listLedgerEntries, type ListedEntry } from '@tollgate/db/queries/ledger/list-entries';
import { listStatements, type StatementHead } from '@tollgate/db/queries/ledger/statements/list-statements';
import { listPayments } from '@tollgate/db/queries/payments/payments';
import type { Deps } from '../deps.ts';
import { exportList, exportPages, getNames, type ExportColumn } from '../exports/export-pages.ts';
import type { Cell } from '../exports/table-text.ts';
import { addDocuments, PAYMENT_MONEY, type PaymentWithDocuments } from './payment-columns.ts';

type Rows = AsyncGenerator<Cell[][]>;

const ENTRIES: readonly ExportColumn<ListedEntry>[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at.toISOString()],
  ['kind', ({ kind }) => kind],
  ['reason', ({ reason }) => reason],
  ['payment_id', ({ paymentId }) => paymentId],
  ['key_id', ({ keyId }) => keyId],
  ['key_name', ({ keyName }) => keyName],
  ['key_tags', ({ keyTags }) => keyTags],
  ['usage_hour', ({ usageHour }) => usageHour?.toISOString() ?? null],
  ['amount_usd', ({ changeNanoUsd }) => formatUsd(changeNanoUsd)],
  ['balance_usd', ({ balanceAfterNanoUsd }) => formatUsd(balanceAfterNanoUsd)],
];

export const ENTRY_COLUMNS = getNames(ENTRIES);

/** Every entry of an account's ledger, the newest first, each with the balance after it. */
export function exportEntries({ db, clock }: Deps, accountId: string): Rows {
  return exportPages({
    clock,
    columns: ENTRIES,
    async read(page) {
      const { entries, nextCursor } = await listLedgerEntries(db, { accountId, ...page });
      return { rows: entries, nextCursor };
    },
  });
}

const PAYMENTS: readonly ExportColumn<PaymentWithDocuments>[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['kind', ({ kind }) => kind],
  ['status', ({ state }) => state],
  ['failure', ({ failure }) => failure],
  ...PAYMENT_MONEY,
];

export const PAYMENT_COLUMNS = getNames(PAYMENTS);

/** Every payment of an account, the newest first, with its documents and their amounts. */
export function exportPayments({ db, clock }: Deps, accountId: string): Rows {
  return exportPages({
    clock,
    columns: PAYMENTS,
    async read(page) {
      const { payments, nextCursor } = await listPayments(db, { accountId, ...page });
      const paid = payments.filter(({ receiptNumber }) => receiptNumber !== null).map(({ id }) => id);
      const documents = await listPaymentHeads(db, { accountId, paymentIds: paid });
      return { rows: addDocuments(payments, documents), nextCursor };
    },
  });
}

const STATEMENTS: readonly ExportColumn<StatementHead>[] = [
  ['month', ({ month }) => month],
  ['state', ({ state }) => state],
  ['opening_balance_usd', ({ openingNanoUsd }) => formatUsd(openingNanoUsd)],
  ['top_ups_usd', ({ sums }) => formatUsd(sums.top_up)],
  ['credit_usd', ({ sums }) => formatUsd(sums.credit)],
  ['usage_usd', ({ sums }) => formatUsd(sums.usage)],
  ['adjustments_usd', ({ sums }) => formatUsd(sums.adjustment)],
  ['refunds_usd', ({ sums }) => formatUsd(sums.refund)],
  ['disputes_usd', ({ sums }) => formatUsd(sums.dispute + sums.dispute_won)],
  ['closing_balance_usd', ({ closingNanoUsd }) => formatUsd(closingNanoUsd)],
];

export const STATEMENT_LIST_COLUMNS = getNames(STATEMENTS);

/** One row for each month of an account, the newest first. */
export function exportStatementList({ db, clock }: Deps, accountId: string): Rows {
  return exportList(STATEMENTS, async () =>
    (await listStatements(db, { accountId, nowMs: clock.nowMs() })).toReversed(),
  );
}
