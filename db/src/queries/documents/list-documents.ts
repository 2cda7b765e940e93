import type { TaxLine } from '@tollgate/core/money/taxes';
import { and, asc, eq, gte, inArray, lt } from 'drizzle-orm';
import { billingDocuments } from '../../schema/documents.ts';
import type { Connection } from '../../transaction.ts';

/** Summary of a document for lists. */
export type DocumentHead = Pick<
  typeof billingDocuments.$inferSelect,
  'id' | 'kind' | 'number' | 'issuedAt' | 'paymentId' | 'entryKey' | 'amountCents' | 'netCents' | 'taxes'
>;

const HEAD = {
  id: billingDocuments.id,
  kind: billingDocuments.kind,
  number: billingDocuments.number,
  issuedAt: billingDocuments.issuedAt,
  paymentId: billingDocuments.paymentId,
  entryKey: billingDocuments.entryKey,
  amountCents: billingDocuments.amountCents,
  netCents: billingDocuments.netCents,
  taxes: billingDocuments.taxes,
};

/** Documents of some payments of an account, the oldest first. */
export async function listPaymentHeads(
  db: Connection,
  { accountId, paymentIds }: { accountId: string; paymentIds: readonly string[] },
): Promise<DocumentHead[]> {
  if (paymentIds.length === 0) return [];
  return db.drizzle
    .select(HEAD)
    .from(billingDocuments)
    .where(
      and(eq(billingDocuments.accountId, accountId), inArray(billingDocuments.paymentId, [...paymentIds])),
    )
    .orderBy(asc(billingDocuments.issuedAt), asc(billingDocuments.id));
}

/** Documents of some payments of any account, the oldest first. */
export async function listHeadsForOperator(
  db: Connection,
  paymentIds: readonly string[],
): Promise<DocumentHead[]> {
  if (paymentIds.length === 0) return [];
  return db.drizzle
    .select(HEAD)
    .from(billingDocuments)
    .where(inArray(billingDocuments.paymentId, [...paymentIds]))
    .orderBy(asc(billingDocuments.issuedAt), asc(billingDocuments.id));
}

/** A document as a link shows it. */
export type LinkedDocument = Pick<DocumentHead, 'id' | 'kind' | 'number'>;

/** Documents of ledger entries of an account, by the entry's key. */
export async function findEntryDocuments(
  db: Connection,
  { accountId, entryKeys }: { accountId: string; entryKeys: readonly string[] },
): Promise<Map<string, LinkedDocument>> {
  if (entryKeys.length === 0) return new Map();
  const { id, kind, number, entryKey } = HEAD;
  const rows = await db.drizzle
    .select({ entryKey, document: { id, kind, number } })
    .from(billingDocuments)
    .where(and(eq(billingDocuments.accountId, accountId), inArray(entryKey, [...entryKeys])));
  return new Map(rows.map((row) => [row.entryKey, row.document]));
}

/** Documents that were issued to an account in a time range, the oldest first. */
export async function listIssuedDocuments(
  db: Connection,
  { accountId, from, to }: { accountId: string; from: Date; to: Date },
): Promise<DocumentHead[]> {
  return db.drizzle
    .select(HEAD)
    .from(billingDocuments)
    .where(
      and(
        eq(billingDocuments.accountId, accountId),
        gte(billingDocuments.issuedAt, from),
        lt(billingDocuments.issuedAt, to),
      ),
    )
    .orderBy(asc(billingDocuments.issuedAt), asc(billingDocuments.id));
}

/** One tax, summed over documents; credit notes are subtracted. */
export interface TaxSum extends TaxLine {
  /** Net amount of the documents that have it. */
  netCents: number;
}

/** Sums the taxes of documents by name and rate; credit notes are subtracted. */
export function sumTaxes(documents: readonly DocumentHead[]): TaxSum[] {
  const sums = new Map<string, TaxSum>();
  for (const { kind, netCents, taxes } of documents) {
    const sign = kind === 'credit_note' ? -1 : 1;
    for (const { name, ratePpm, amountCents } of taxes) {
      const key = `${ratePpm} ${name}`;
      const sum = sums.get(key) ?? { name, ratePpm, amountCents: 0, netCents: 0 };
      sum.amountCents += sign * amountCents;
      sum.netCents += sign * netCents;
      sums.set(key, sum);
    }
  }
  return [...sums.values()];
}
