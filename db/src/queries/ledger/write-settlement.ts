import type { RequestRecord } from '@tollgate/core/money/ledger';
import type { RowText } from '../../row-text.ts';

/**
 * Writes a settlement as a row of the SQL type `settlement`. Its members are written one by one in the order of the type:
 * a loop over their names takes three times as long, and every request has a record.
 */
export function writeSettlement(row: RowText, record: RequestRecord): void {
  row.openRow();
  row.text(record.id);
  row.time(record.startedAtMs);
  row.text(record.accountId);
  row.text(record.keyId);
  row.text(record.endpoint);
  row.text(record.model);
  row.text(record.provider);
  row.text(record.upstreamModel);
  row.text(record.routeId);
  row.json(record.attempts);
  row.boolean(record.streamed);
  row.number(record.status);
  row.text(record.errorCode);
  row.number(record.inputTokens);
  row.number(record.cacheReadTokens);
  row.number(record.cacheWriteTokens);
  row.number(record.cacheWrite1hTokens);
  row.number(record.outputTokens);
  row.json(record.extras);
  row.boolean(record.estimated);
  row.number(record.priceId);
  row.number(record.pricePpm);
  row.bigint(record.costNanoUsd);
  row.bigint(record.operatorCostNanoUsd);
  row.number(record.latencyMs);
  row.number(record.firstByteMs);
  row.number(record.queueMs);
  row.number(record.holdMs);
  row.number(record.connectMs);
  row.boolean(record.isHeld);
  row.boolean(record.recovered);
  row.text(record.rawUsage);
  row.bigint(record.reportedCostNanoUsd);
  row.json(record.servedTerms);
  row.json(record.billedTerms);
  row.text(record.priceMismatch);
  row.text(record.client);
  row.number(record.sessionHash);
  row.text(record.routeChoice);
  row.text(record.requestedModel);
  row.boolean(record.ownCredential);
  row.text(record.errorMessage);
  row.text(record.errorParam);
  row.text(record.session);
  row.text(record.providerRequestId);
  row.closeRow();
}
