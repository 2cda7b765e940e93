import type { HoldRequest } from '@tollgate/core/money/ledger';
import type { RowText } from '../../row-text.ts';

/** Writes a hold as a row of the SQL type `hold`, as `writeSettlement` writes settlements. */
export function writeHold(row: RowText, hold: HoldRequest): void {
  row.openRow();
  row.text(hold.id);
  row.time(hold.startedAtMs);
  row.text(hold.accountId);
  row.text(hold.keyId);
  row.text(hold.endpoint);
  row.text(hold.model);
  row.boolean(hold.streamed);
  row.number(hold.priceId);
  row.number(hold.pricePpm);
  row.number(hold.inputTokens);
  row.bigint(hold.inputCostNanoUsd);
  row.boolean(hold.chargesBalance);
  row.bigint(hold.keyCapNanoUsd);
  row.bigint(hold.wantNanoUsd);
  row.bigint(hold.softNanoUsd);
  row.bigint(hold.minNanoUsd);
  row.bigint(hold.keyMinNanoUsd);
  row.text(hold.session);
  row.closeRow();
}
