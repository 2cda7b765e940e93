const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** `Visa ending 4242`; the provider names brands in lower case. */
export function describeMethod(method: { brand: string; last4: string } | null): string {
  if (method === null) return 'the saved card';
  const { brand, last4 } = method;
  return `${BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)} ending ${last4}`;
}
