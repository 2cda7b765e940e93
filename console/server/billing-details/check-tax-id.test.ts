import { expect, it } from 'vitest';
import { isTaxId } from './check-tax-id.ts';

it.each([
  ['DE', 'DE136695976'],
  ['DE', 'DE 136 695 976'],
  ['GR', 'EL094259216'],
  ['ES', 'ESB58378431'],
  ['GB', 'GB980780684'],
  ['US', '91-1144442'],
  ['CH', 'CHE-107.787.577 IVA'],
  ['IN', '27AAPFU0939F1ZV'],
  ['BR', '16.727.230/0001-97'],
  // No rules are known for Nepal.
  ['NP', '301234567'],
])('accepts the tax ID of %s: %s', (country, taxId) => {
  expect(isTaxId(taxId, country)).toBe(true);
});

it.each([
  ['DE', 'DE136695975'],
  ['FR', 'DE136695976'],
  ['US', '1'],
  ['NP', '<script>'],
  ['NP', '-'],
])('refuses as tax ID of %s: %s', (country, taxId) => {
  expect(isTaxId(taxId, country)).toBe(false);
});
