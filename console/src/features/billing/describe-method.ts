/** Names that need more than capitalization. */
const NAMES = new Map([
  ['amex', 'American Express'],
  ['diners', 'Diners Club'],
  ['jcb', 'JCB'],
  ['unionpay', 'UnionPay'],
  ['test', 'Test card'],
  ['us_bank_account', 'US bank account'],
  ['sepa_debit', 'SEPA debit'],
]);

/**
 * `Visa ending 4242`; providers name brands and kinds in lower case (`visa`, `us_bank_account`), and some kinds have no
 * last digits.
 */
export function describeMethod({ brand, last4 }: { brand: string; last4: string }): string {
  const words = brand.replaceAll('_', ' ');
  const name = NAMES.get(brand) ?? words.charAt(0).toUpperCase() + words.slice(1);
  return last4 === '' ? name : `${name} ending ${last4}`;
}
