import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRate, parseRate, splitCorrection, splitTaxes, type TaxedAmount } from './taxes.ts';

const ratesArbitrary = fc.array(
  fc.record({ name: fc.constant('VAT'), ratePpm: fc.integer({ min: 1, max: 1_000_000 }) }),
  { maxLength: 3 },
);
const amountArbitrary = fc.integer({ min: 1, max: 10_000_000 });
const sumUp = ({ netCents, taxes }: TaxedAmount) =>
  taxes.reduce((sum, { amountCents }) => sum + amountCents, netCents);

describe('taxes that an amount includes', () => {
  it('are a part of the amount, rounded half up to a cent', () => {
    expect(splitTaxes(11_900, [{ name: 'VAT', ratePpm: 190_000 }])).toEqual({
      netCents: 10_000,
      taxes: [{ name: 'VAT', ratePpm: 190_000, amountCents: 1_900 }],
    });
    expect(splitTaxes(2_000, [{ name: 'VAT', ratePpm: 190_000 }])).toMatchObject({ netCents: 1_681 });
    const canada = [
      { name: 'GST', ratePpm: 50_000 },
      { name: 'QST', ratePpm: 99_750 },
    ];
    expect(splitTaxes(11_498, canada)).toMatchObject({
      netCents: 10_000,
      taxes: [{ amountCents: 500 }, { amountCents: 998 }],
    });
    expect(splitTaxes(500, [])).toEqual({ netCents: 500, taxes: [] });
  });

  it('add up with the net amount to the amount, whatever the rates', () => {
    fc.assert(
      fc.property(amountArbitrary, ratesArbitrary, (amountCents, rates) => {
        const split = splitTaxes(amountCents, rates);
        expect(sumUp(split)).toBe(amountCents);
        expect(split.taxes.every((tax) => tax.amountCents >= 0)).toBe(true);
      }),
    );
  });

  it('are corrected exactly, in whatever steps an amount is taken', () => {
    fc.assert(
      fc.property(
        amountArbitrary,
        ratesArbitrary,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        (amountCents, rates, shares) => {
          const original = { amountCents, ...splitTaxes(amountCents, rates) };
          const taken = original.taxes.map(() => 0);
          let fromCents = 0;
          for (const toCents of [...shares.map((share) => Math.round(share * amountCents)), amountCents]) {
            const step = splitCorrection(original, { fromCents, toCents });
            expect(sumUp(step)).toBe(Math.abs(toCents - fromCents));
            expect(step.netCents).toBeGreaterThanOrEqual(0);
            expect(step.taxes.every((tax) => tax.amountCents >= 0)).toBe(true);
            for (const [index, tax] of step.taxes.entries())
              taken[index] = (taken[index] ?? 0) + Math.sign(toCents - fromCents) * tax.amountCents;
            fromCents = toCents;
          }
          expect(taken).toEqual(original.taxes.map((tax) => tax.amountCents));
        },
      ),
    );
  });

  it('take no more than a cent of a correction of a cent', () => {
    const taxes = ['CGST', 'SGST', 'Cess'].map((name) => ({ name, ratePpm: 90_000, amountCents: 90 }));
    const original = { amountCents: 1_270, netCents: 1_000, taxes };
    for (let cents = 0; cents < original.amountCents; cents++) {
      const { netCents, taxes: parts } = splitCorrection(original, { fromCents: cents, toCents: cents + 1 });
      const shares = [netCents, ...parts.map(({ amountCents }) => amountCents)].toSorted((a, b) => a - b);
      expect(shares).toEqual([0, 0, 0, 1]);
    }
  });
});

describe('a tax rate', () => {
  it('is read and written as a percentage', () => {
    for (const [text, ppm] of [
      ['19', 190_000],
      ['8.875', 88_750],
      ['0.0001', 1],
      ['100', 1_000_000],
    ] as const) {
      expect(parseRate(text)).toBe(ppm);
      expect(formatRate(ppm)).toBe(`${text}%`);
    }
    for (const text of ['', '0', '-1', '100.1', '19,5', '1.23456', '1e1']) expect(parseRate(text)).toBeNull();
  });
});
