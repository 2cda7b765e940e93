const PERCENT = 19;

/** Someone who enters an address on a payment page. */
export interface FakeBuyer {
  name: string;
  business_name: string | null;
  address: {
    line1: string;
    line2: string | null;
    postal_code: string;
    city: string;
    state: string | null;
    country: string;
  };
  tax_ids: { type: string; value: string }[];
}

/** https://docs.stripe.com/api/checkout/sessions/object#checkout_session_object-total_details-breakdown-taxes */
export interface FakeTax {
  amount: number;
  rate: {
    object: 'tax_rate';
    display_name: string;
    percentage: number;
    effective_percentage: number;
    jurisdiction: string;
  };
  taxability_reason: 'standard_rated' | 'reverse_charge' | 'not_collecting';
  taxable_amount: number;
}

/** https://docs.stripe.com/api/tax/calculations/object */
export interface FakeCalculation {
  id: string;
  object: 'tax.calculation';
  amount_total: number;
  tax_amount_exclusive: number;
  customer_details: Pick<FakeBuyer, 'address' | 'tax_ids'>;
  tax_breakdown: {
    amount: number;
    inclusive: false;
    tax_rate_details: { country: string; state: null; percentage_decimal: string; tax_type: 'vat' };
    taxability_reason: FakeTax['taxability_reason'];
    taxable_amount: number;
  }[];
}

export const BERLIN: FakeBuyer = {
  name: 'Ada Muster',
  business_name: 'Muster GmbH',
  address: {
    line1: 'Weg 1',
    line2: null,
    postal_code: '10115',
    city: 'Berlin',
    state: null,
    country: 'DE',
  },
  tax_ids: [],
};

/** The taxes of a seller that is registered for VAT in Germany, and owes none in other countries. */
export function determineTaxes(cents: number, { address, tax_ids }: FakeBuyer): { taxes: FakeTax[] } {
  const isTaxed = address.country === 'DE' && tax_ids.length === 0;
  const percent = isTaxed ? PERCENT : 0;
  const untaxed = tax_ids.length > 0 ? 'reverse_charge' : 'not_collecting';
  return {
    taxes: [
      {
        amount: Math.round((cents * percent) / 100),
        rate: {
          object: 'tax_rate',
          display_name: 'VAT',
          percentage: percent,
          effective_percentage: percent,
          jurisdiction: address.country === 'DE' ? 'Germany' : address.country,
        },
        taxability_reason: isTaxed ? 'standard_rated' : untaxed,
        taxable_amount: isTaxed ? cents : 0,
      },
    ],
  };
}

export function calculateTaxes(id: string, cents: number, buyer: FakeBuyer): FakeCalculation {
  const { taxes } = determineTaxes(cents, buyer);
  const added = taxes.reduce((sum, { amount }) => sum + amount, 0);
  return {
    id,
    object: 'tax.calculation',
    amount_total: cents + added,
    tax_amount_exclusive: added,
    customer_details: { address: buyer.address, tax_ids: buyer.tax_ids },
    tax_breakdown: taxes.map(({ amount, rate, taxability_reason, taxable_amount }) => ({
      amount,
      inclusive: false,
      tax_rate_details: {
        country: buyer.address.country,
        state: null,
        percentage_decimal: rate.percentage.toString(),
        tax_type: 'vat',
      },
      taxability_reason,
      taxable_amount,
    })),
  };
}
