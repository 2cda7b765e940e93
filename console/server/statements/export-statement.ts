import { formatUsd } from '@tollgate/core/money/money';
import type { Statement } from '@tollgate/db/queries/ledger/statements/read-statement';
import type { Cell } from '../exports/table-text.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * The amounts of all rows before `closing_balance` add up to it. Until the statement is final, this row is
 * `balance_so_far`; in the month in progress, amounts that are not in the ledger yet follow it.
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
  'amount_usd',
] as const;

type Row = Partial<Record<Exclude<(typeof STATEMENT_COLUMNS)[number], 'kind' | 'amount_usd'>, Cell>>;

/** A statement as a table: the opening balance, each movement, usage by key and model, the closing balance. */
export async function* exportStatement(statement: Statement): AsyncGenerator<Cell[][]> {
  const rows = listRows(statement);
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    yield rows.slice(start, start + ROWS_AT_ONCE);
}

function listRows(statement: Statement): Cell[][] {
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

function toCells(kind: string, amountNanoUsd: bigint, row: Row): Cell[] {
  const values: Record<string, Cell> = { ...row, kind, amount_usd: formatUsd(amountNanoUsd) };
  return STATEMENT_COLUMNS.map((column) => values[column] ?? null);
}
