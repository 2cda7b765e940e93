import { decodeStoredUsage } from '@tollgate/dialects/usage/decode-stored-usage';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import type { TestDatabase } from '@tollgate/testing/database';

/** @returns settled requests whose counts differ from the stored usage object, and how many were compared or skipped */
export async function verifyUsage({ db }: TestDatabase) {
  const { findings, usage } = await verifyLedger(db, { recompute: null, decodeUsage: decodeStoredUsage });
  return { ...usage, findings: findings.filter(({ check }) => check === 'request_usage') };
}
