import { expect, it } from 'vitest';
import { COUNTRY_CODES, getCountryName, isCountryCode } from './countries.ts';

it('has the 249 countries of ISO 3166-1, each with a name', () => {
  expect(new Set(COUNTRY_CODES).size).toBe(249);
  expect(COUNTRY_CODES.filter((code) => getCountryName(code) === code)).toEqual([]);
  expect([getCountryName('DE'), isCountryCode('DE'), isCountryCode('UK')]).toEqual(['Germany', true, false]);
});
