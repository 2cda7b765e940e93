import { isCountryCode } from '@tollgate/core/money/countries';
import type { ReportedTaxes } from '@tollgate/db/queries/payments/price-top-up';
import { Stripe } from 'stripe';
import type { TaxOrder } from './provider.ts';

const PPM_PER_PERCENT = 10_000;
/** https://docs.stripe.com/error-codes#customer-tax-location-invalid */
const UNKNOWN_ADDRESS = 'customer_tax_location_invalid';
/** The customer reads it. Cards that were saved without Stripe Tax have no address. */
const NO_ADDRESS = 'Taxes need your billing address. Top up once and save the card again';

/** Parameters of a payment page that collects the address and tax ID, and adds the taxes that Stripe determines. */
export function getTaxParams(customerId: string | null) {
  return {
    automatic_tax: { enabled: true },
    billing_address_collection: 'required',
    tax_id_collection: { enabled: true },
    // Later charges of a saved card are taxed by the address that is stored with the customer.
    ...(customerId !== null && { customer_update: { address: 'auto', name: 'auto' } }),
  } as const;
}

/** Reads the taxes of a payment that was made on a payment page. https://docs.stripe.com/api/checkout/sessions/object */
export async function readSessionTaxes(
  stripe: Stripe,
  { sessionId, intentId }: { sessionId: string | null; intentId: string | null },
): Promise<ReportedTaxes> {
  const id = sessionId ?? (await findSession(stripe, intentId));
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['total_details.breakdown'] });
  const { amount_total: amountCents, amount_subtotal: creditCents, customer_details: customer } = session;
  const lines = session.total_details?.breakdown?.taxes;
  if (amountCents === null || creditCents === null || lines === undefined)
    throw new Error(`Stripe reported no taxes of the session ${session.id}`);
  return {
    amountCents,
    creditCents,
    taxes: lines
      .filter(({ amount }) => amount > 0)
      .map(({ amount, rate }) => ({
        name: nameTax(rate.display_name, rate.jurisdiction),
        ratePpm: toPpm(rate.effective_percentage ?? rate.percentage),
        amountCents: amount,
      })),
    reverseCharge: lines.some(({ taxability_reason }) => taxability_reason === 'reverse_charge'),
    customer: customer && {
      companyName: customer.business_name ?? customer.name ?? '',
      ...readAddress(customer.address),
      taxId: customer.tax_ids?.[0]?.value ?? '',
    },
    calculationId: null,
  };
}

/** Determines the taxes of a charge without the user. https://docs.stripe.com/tax/payment-intent */
export async function calculateTaxes(
  stripe: Stripe,
  order: TaxOrder,
): Promise<{ ok: true; taxes: ReportedTaxes } | { ok: false; failure: string }> {
  try {
    return { ok: true, taxes: await calculate(stripe, order) };
  } catch (error) {
    // Such as a customer without an address: repeating the request changes nothing.
    const isAnswer = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409;
    if (!isAnswer) throw error;
    return { ok: false, failure: error.code === UNKNOWN_ADDRESS ? NO_ADDRESS : error.message };
  }
}

async function calculate(stripe: Stripe, order: TaxOrder): Promise<ReportedTaxes> {
  const made = await stripe.tax.calculations.create(
    {
      currency: 'usd',
      customer: order.customerId,
      line_items: [{ amount: order.creditCents, reference: order.paymentId, tax_behavior: 'exclusive' }],
    },
    { idempotencyKey: `taxes:${order.paymentId}` },
  );
  const { id, customer_details: customer, tax_breakdown: lines } = made;
  return {
    amountCents: made.amount_total,
    creditCents: made.amount_total - made.tax_amount_exclusive,
    taxes: lines
      .filter(({ amount }) => amount > 0)
      .map(({ amount, tax_rate_details: rate }) => ({
        name: nameTax(nameType(rate.tax_type), rate.state ?? rate.country),
        ratePpm: toPpm(Number(rate.percentage_decimal)),
        amountCents: amount,
      })),
    reverseCharge: lines.some(({ taxability_reason }) => taxability_reason === 'reverse_charge'),
    customer: {
      companyName: '',
      ...readAddress(customer.address),
      taxId: customer.tax_ids[0]?.value ?? '',
    },
    calculationId: id,
  };
}

async function findSession(stripe: Stripe, intentId: string | null): Promise<string> {
  const page =
    intentId === null ? null : await stripe.checkout.sessions.list({ payment_intent: intentId, limit: 1 });
  const id = page?.data[0]?.id;
  if (id === undefined) throw new Error(`Stripe knows no session of the payment ${intentId ?? ''}`);
  return id;
}

function nameTax(name: string, place: string | null): string {
  return place === null || place === '' || name.includes(place) ? name : `${name} ${place}`;
}

/** `sales_tax` → `Sales tax`, `vat` → `VAT`. */
function nameType(type: string | null): string {
  if (type === null) return 'Tax';
  const words = type.replaceAll('_', ' ');
  return type.length <= 4 ? type.toUpperCase() : words.charAt(0).toUpperCase() + words.slice(1);
}

function toPpm(percent: number): number {
  return Math.round(percent * PPM_PER_PERCENT);
}

function readAddress(address: Stripe.Address | null): { address: string; country: string | null } {
  if (address === null) return { address: '', country: null };
  const { line1, line2, postal_code: code, city, state, country } = address;
  const lines = [line1, line2, [code, city].filter((part) => (part ?? '') !== '').join(' '), state];
  return {
    address: lines.filter((line) => (line ?? '') !== '').join('\n'),
    country: country !== null && isCountryCode(country) ? country : null,
  };
}
