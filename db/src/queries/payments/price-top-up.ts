import { addTaxes, type TaxLine } from '@tollgate/core/money/taxes';
import { eq } from 'drizzle-orm';
import { payments } from '../../schema/payments.ts';
import { installationSettings } from '../../schema/installation.ts';
import type { TaxMode } from '../../schema/installation.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';
import { NO_DETAILS, readBillingDetails, type BillingDetails } from '../documents/billing-details.ts';
import { listRatesInOrder, selectDueTaxes, type TaxRate } from '../documents/tax-rates.ts';
import type { Payment } from './payments.ts';

/** What a top-up costs; `amountCents` is the credit with the taxes that are added to it. */
export type TopUpPrice = Pick<Payment, 'taxMode' | 'amountCents' | 'addedTaxCents' | 'addedTaxes'>;

/** What the price of a top-up depends on, apart from its customer. */
export interface TopUpTerms {
  taxMode: TaxMode;
  /** Rates that are added; empty unless the mode is `on_top`. */
  rates: TaxRate[];
}

export async function readTopUpTerms(db: Connection): Promise<TopUpTerms> {
  const taxMode = await readTaxMode(db);
  // Stripe adds its taxes later: on the payment page, or before a saved card is charged.
  return { taxMode, rates: taxMode === 'on_top' ? await listRatesInOrder(db) : [] };
}

/** The price of a top-up of an account now. The payment keeps it, so the receipt says what was shown before. */
export async function priceTopUp(
  db: Connection,
  { accountId, creditCents }: { accountId: string; creditCents: number },
): Promise<TopUpPrice> {
  const terms = await readTopUpTerms(db);
  const customer = terms.taxMode === 'on_top' ? await readBillingDetails(db, accountId) : NO_DETAILS;
  return computeTopUpPrice(terms, { creditCents, customer });
}

export function computeTopUpPrice(
  { taxMode, rates: all }: TopUpTerms,
  { creditCents, customer }: { creditCents: number; customer: BillingDetails },
): TopUpPrice {
  if (taxMode !== 'on_top') return { taxMode, amountCents: creditCents, addedTaxCents: 0, addedTaxes: null };
  const { rates, reverseCharge } = selectDueTaxes(all, customer);
  const { amountCents, taxes } = addTaxes(creditCents, rates);
  return {
    taxMode,
    amountCents,
    addedTaxCents: amountCents - creditCents,
    addedTaxes: { taxes, reverseCharge, customer },
  };
}

/** The highest taxes that any customer can have: a share of the credit, and what rounding can add to it. */
export function boundAddedTaxes({ rates }: TopUpTerms): { ratePpm: number; roundingCents: number } {
  const sums = new Map<string | null, number>();
  for (const { country, ratePpm } of rates) sums.set(country, (sums.get(country) ?? 0) + ratePpm);
  return { ratePpm: Math.max(0, ...sums.values()), roundingCents: rates.length };
}

/** Taxes that a provider reported for a payment. */
export interface ReportedTaxes {
  /** With the taxes. */
  amountCents: number;
  creditCents: number;
  taxes: TaxLine[];
  reverseCharge: boolean;
  /** For whom they were determined; null: it does not say. */
  customer: BillingDetails | null;
  /** Of the charge of a saved card; null: the provider's page determined them. */
  calculationId: string | null;
}

/** Stores the taxes of a payment whose row is locked. The account's billing details fill what was not reported. */
export async function setReportedTaxes(
  tx: Connection,
  payment: Payment,
  reported: ReportedTaxes,
): Promise<Payment> {
  const { amountCents, creditCents, taxes, reverseCharge, calculationId } = reported;
  const details = await readBillingDetails(tx, payment.accountId);
  const customer = fillIn(reported.customer, details);
  const [changed] = await tx.drizzle
    .update(payments)
    .set({
      amountCents,
      addedTaxCents: amountCents - creditCents,
      addedTaxes: { taxes, reverseCharge, customer },
      taxCalculationId: calculationId,
    })
    .where(eq(payments.id, payment.id))
    .returning();
  if (changed === undefined) throw new Error(`There is no payment ${payment.id}`);
  return changed;
}

/** Whether the parts of reported taxes add up, for the credit that was ordered. */
export function areConsistent(reported: ReportedTaxes, payment: Payment): boolean {
  const sum = reported.taxes.reduce((total, { amountCents }) => total + amountCents, 0);
  return (
    reported.creditCents === getCreditCents(payment) && reported.creditCents + sum === reported.amountCents
  );
}

/** The reported address was taxed, so it is not mixed with the account's own address. */
function fillIn(reported: BillingDetails | null, details: BillingDetails): BillingDetails {
  if (reported === null || reported.country === null) return details;
  const companyName = details.companyName === '' ? reported.companyName : details.companyName;
  return { ...reported, companyName };
}

/** Part of a payment that the balance gets. */
export function getCreditCents({ amountCents, addedTaxCents }: Payment): number {
  return amountCents - addedTaxCents;
}

export async function readTaxMode(db: Connection): Promise<TaxMode> {
  const [settings] = await db.drizzle
    .select({ mode: installationSettings.taxMode })
    .from(installationSettings);
  return settings?.mode ?? 'included';
}

/** Sets how later payments are taxed. */
export async function setTaxMode(
  db: Connection,
  { taxMode, now, actorUserId }: { taxMode: TaxMode; now: Date; actorUserId: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [stored = {}] = await tx.drizzle.select().from(installationSettings).for('update');
    await tx.drizzle.update(installationSettings).set({ taxMode, updatedAt: now });
    await recordAudit(tx, {
      actorUserId,
      action: 'installation.taxes',
      subject: 'installation',
      detail: describeChange(stored, { taxMode }),
    });
  });
}
