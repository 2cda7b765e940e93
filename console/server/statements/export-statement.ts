import { formatUsd } from '@tollgate/core/money/money';
import { formatRate } from '@tollgate/core/money/taxes';
import type { Statement } from '@tollgate/db/queries/ledger/statements/read-statement';
import { sumTaxes } from '@tollgate/db/queries/documents/list-documents';
import { NANO_USD_PER_CENT } from '@tollgate/db/queries/payments/payments';
import type { Cell } from '../exports/table-text.ts';
import { listParties } from './statement-view.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * The amounts of all rows before `closing_balance` add up to it. Until the statement is final, this row is
 * `balance_so_far`; in the month in progress, amounts that are not in the ledger yet follow it. Then come the taxes of the
 * month's receipts and credit notes, and the parties.
 */
export const STATEMENT_COLUMNS = [
  'at',
  'kind',
  'reason',
  'payment_id',
  'document',
  'key_id',
  'key_name',
  'key_tags',
  'model',
  'requests',
  'details',
  'net_usd',
  'amount_usd',
] as const;

type Row = Partial<Record<Exclude<(typeof STATEMENT_COLUMNS)[number], 'kind' | 'amount_usd'>, Cell>>;

/**
 * A statement as a table: the opening balance, each movement, usage by key and model, the closing balance, taxes, parties.
 * @param issuer the operator's name and address; null: none is set
 */
export async function* exportStatement(
  statement: Statement,
  issuer: string | null,
): AsyncGenerator<Cell[][]> {
  const rows = listRows(statement, issuer);
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    yield rows.slice(start, start + ROWS_AT_ONCE);
}

function listRows(statement: Statement, issuer: string | null): Cell[][] {
  return [
    toCells('opening_balance', statement.openingNanoUsd, { at: statement.from.toISOString() }),
    ...statement.movements.map((movement) =>
      toCells(movement.kind, movement.changeNanoUsd, {
        at: movement.at.toISOString(),
        reason: movement.reason,
        payment_id: movement.paymentId,
        document: movement.documentNumber,
      }),
    ),
    ...listUsage(statement),
    ...listEnd(statement),
    ...listTaxes(statement),
    ...listParties(statement, issuer).map(({ heading, lines }) =>
      toCells(heading === 'From' ? 'issuer' : 'customer', null, { details: lines.join(', ') }),
    ),
  ];
}

function listEnd({ state, closingNanoUsd, to, pending }: Statement): Cell[][] {
  if (state === 'final') return [toCells('closing_balance', closingNanoUsd, { at: to.toISOString() })];
  return [
    toCells('balance_so_far', closingNanoUsd, {}),
    ...(pending === null
      ? []
      : [toCells('pending_usage', -pending.usageNanoUsd, {}), toCells('on_hold', -pending.heldNanoUsd, {})]),
  ];
}

function listTaxes({ documents }: Statement): Cell[][] {
  return sumTaxes(documents).map(({ name, ratePpm, netCents, amountCents }) =>
    toCells('tax', BigInt(amountCents) * NANO_USD_PER_CENT, {
      details: `${name} ${formatRate(ratePpm)}`,
      net_usd: formatUsd(BigInt(netCents) * NANO_USD_PER_CENT),
    }),
  );
}

/** Usage by key and model. The rest of a key's charges is usage of other months. */
function listUsage({ usage }: Statement): Cell[][] {
  const keys = new Map(usage.byKey.map((key) => [key.keyId, key]));
  const describeKey = (keyId: string) => {
    const { keyName = null, keyTags = null } = keys.get(keyId) ?? {};
    return { key_id: keyId, key_name: keyName, key_tags: keyTags };
  };
  const rest = new Map(usage.byKey.map(({ keyId, chargedNanoUsd }) => [keyId, chargedNanoUsd]));
  const rows = usage.byModel.map(({ keyId, model, requests, chargedNanoUsd }) => {
    rest.set(keyId, (rest.get(keyId) ?? 0n) - chargedNanoUsd);
    const row = { ...describeKey(keyId), model, requests };
    return toCells('usage', -chargedNanoUsd, row);
  });
  for (const [keyId, chargedNanoUsd] of rest)
    if (chargedNanoUsd !== 0n)
      rows.push(toCells('usage_of_other_months', -chargedNanoUsd, describeKey(keyId)));
  return rows;
}

function toCells(kind: string, amountNanoUsd: bigint | null, row: Row): Cell[] {
  const amount = amountNanoUsd === null ? null : formatUsd(amountNanoUsd);
  const values: Record<string, Cell> = { ...row, kind, amount_usd: amount };
  return STATEMENT_COLUMNS.map((column) => values[column] ?? null);
}
