import { expect, it } from 'vitest';
import { describeMethod } from './describe-method.ts';

it.each([
  ['visa', 'Visa ending 4242'],
  ['test', 'Test card ending 4242'],
  ['amex', 'American Express ending 4242'],
  ['us_bank_account', 'US bank account ending 4242'],
  ['cartes_bancaires', 'Cartes bancaires ending 4242'],
])('names a saved %s', (brand, text) => {
  expect(describeMethod({ brand, last4: '4242' })).toBe(text);
});

it('omits the last digits if there are none', () => {
  expect(describeMethod({ brand: 'link', last4: '' })).toBe('Link');
});
