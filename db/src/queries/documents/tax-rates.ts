import { createId } from '@tollgate/core/runtime/ids';
import { asc, eq, sql } from 'drizzle-orm';
import { taxRates } from '../../schema/documents.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import type { BillingDetails } from './billing-details.ts';

export type TaxRate = typeof taxRates.$inferSelect;
export type NewTaxRate = Pick<TaxRate, 'name' | 'ratePpm' | 'country' | 'reverseCharge'>;

/** All rates; rates of countries first, by country and name. */
export async function listTaxRates(db: Connection): Promise<TaxRate[]> {
  return db.drizzle
    .select()
    .from(taxRates)
    .orderBy(sql`${taxRates.country} NULLS LAST`, asc(taxRates.name));
}

/** Adds a rate to later payments. @returns false if the country has a rate of that name */
export async function addTaxRate(
  db: Connection,
  input: { rate: NewTaxRate; actorUserId: string | null },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [added] = await tx.drizzle
      .insert(taxRates)
      .values({ id: createId('tax'), ...input.rate })
      .onConflictDoNothing()
      .returning({ id: taxRates.id });
    if (added === undefined) return false;
    await recordAudit(tx, {
      actorUserId: input.actorUserId,
      action: 'tax_rate.add',
      subject: added.id,
      detail: { ...input.rate },
    });
    return true;
  });
}

/** Removes a rate from later payments; documents keep theirs. @returns false if it is not there */
export async function removeTaxRate(
  db: Connection,
  input: { id: string; actorUserId: string | null },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [removed] = await tx.drizzle.delete(taxRates).where(eq(taxRates.id, input.id)).returning();
    if (removed === undefined) return false;
    const { name, ratePpm, country, reverseCharge } = removed;
    await recordAudit(tx, {
      actorUserId: input.actorUserId,
      action: 'tax_rate.remove',
      subject: removed.id,
      detail: { name, ratePpm, country, reverseCharge },
    });
    return true;
  });
}

export interface DueTaxes {
  rates: Pick<TaxRate, 'name' | 'ratePpm'>[];
  /** True: at least one rate does not apply, since the customer owes it. */
  reverseCharge: boolean;
}

/** The taxes of a customer. */
export async function findDueTaxes(db: Connection, customer: BillingDetails): Promise<DueTaxes> {
  return selectDueTaxes(await listRatesInOrder(db), customer);
}

/** All rates in the order in which documents list them. */
export async function listRatesInOrder(db: Connection): Promise<TaxRate[]> {
  return db.drizzle.select().from(taxRates).orderBy(asc(taxRates.createdAt), asc(taxRates.id));
}

/** The rates of the customer's country, or else those of all other countries. */
export function selectDueTaxes(rates: readonly TaxRate[], { country, taxId }: BillingDetails): DueTaxes {
  const ofCountry = rates.filter((rate) => rate.country !== null && rate.country === country);
  const applying = ofCountry.length > 0 ? ofCountry : rates.filter((rate) => rate.country === null);
  const due = applying.filter((rate) => taxId === '' || !rate.reverseCharge);
  return {
    rates: due.map(({ name, ratePpm }) => ({ name, ratePpm })),
    reverseCharge: due.length < applying.length,
  };
}
