/** Parts per million of the whole. */
const WHOLE_PPM = 1_000_000n;

export interface TaxTerms {
  name: string;
  /** Parts per million of the net amount: 190000 is 19 %. */
  ratePpm: number;
}

/** A tax of a document. */
export type TaxLine = TaxTerms & { amountCents: number };

/** Parts of an amount in cents; `netCents` and the taxes add up to it. */
export interface TaxedAmount {
  netCents: number;
  taxes: TaxLine[];
}

/** Splits an amount that includes its taxes. Each tax is rounded half up to a cent; the rest is the net amount. */
export function splitTaxes(amountCents: number, rates: readonly TaxTerms[]): TaxedAmount {
  const whole = rates.reduce((sum, { ratePpm }) => sum + BigInt(ratePpm), WHOLE_PPM);
  const taxes = rates.map(({ name, ratePpm }) => ({
    name,
    ratePpm,
    amountCents: divideHalfUp(BigInt(amountCents) * BigInt(ratePpm), whole),
  }));
  return { netCents: amountCents - sumTaxes(taxes), taxes };
}

/** Adds taxes to a net amount. Each tax is rounded half up to a cent; `amountCents` is the sum. */
export function addTaxes(
  netCents: number,
  rates: readonly TaxTerms[],
): TaxedAmount & { amountCents: number } {
  const taxes = rates.map(({ name, ratePpm }) => ({
    name,
    ratePpm,
    amountCents: divideHalfUp(BigInt(netCents) * BigInt(ratePpm), WHOLE_PPM),
  }));
  return { netCents, taxes, amountCents: netCents + sumTaxes(taxes) };
}

/**
 * Splits a correction of a document in proportion to the document's taxes. Corrections of the whole amount, in any steps,
 * add up to the document's own taxes, and no part of a step is below 0.
 * @param step.fromCents what was taken before; `toCents`: what is taken afterwards, both at most the amount
 */
export function splitCorrection(
  original: TaxedAmount & { amountCents: number },
  step: { fromCents: number; toCents: number },
): TaxedAmount {
  const low = Math.min(step.fromCents, step.toCents);
  const high = Math.max(step.fromCents, step.toCents);
  const before = takeShares(original, low);
  const after = takeShares(original, high);
  const taxes = original.taxes.map(({ name, ratePpm }, index) => ({
    name,
    ratePpm,
    amountCents: (after[index] ?? 0) - (before[index] ?? 0),
  }));
  return { netCents: high - low - sumTaxes(taxes), taxes };
}

/**
 * Shares of a document's taxes in its first `cents`. The sum of the taxes is rounded once, and each tax takes its share
 * of what the taxes before it left. If each tax was rounded alone, several could grow at the same cent.
 */
function takeShares(original: TaxedAmount & { amountCents: number }, cents: number): number[] {
  let wholeCents = sumTaxes(original.taxes);
  let leftCents = divideShare(wholeCents, cents, original.amountCents);
  return original.taxes.map(({ amountCents }) => {
    const share = divideShare(amountCents, leftCents, wholeCents);
    wholeCents -= amountCents;
    leftCents -= share;
    return share;
  });
}

/** `amount × part / whole`, rounded half up; 0 if the whole is 0. */
function divideShare(amountCents: number, partCents: number, wholeCents: number): number {
  if (wholeCents === 0) return 0;
  return divideHalfUp(BigInt(amountCents) * BigInt(partCents), BigInt(wholeCents));
}

/** `190000` → `19%`, `88750` → `8.875%`. */
export function formatRate(ratePpm: number): string {
  const [whole, fraction = ''] = (ratePpm / 10_000).toFixed(4).split('.');
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? `${whole}%` : `${whole}.${digits}%`;
}

/** Parses a percentage: `19` → `190000`, `8.875` → `88750`. @returns null unless it is above 0 and at most 100 */
export function parseRate(percent: string): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(percent.trim());
  if (match === null) return null;
  const ratePpm = Number(match[1]) * 10_000 + Number((match[2] ?? '').padEnd(4, '0'));
  return ratePpm >= 1 && ratePpm <= 1_000_000 ? ratePpm : null;
}

function sumTaxes(taxes: readonly TaxLine[]): number {
  return taxes.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function divideHalfUp(dividend: bigint, divisor: bigint): number {
  return Number((dividend * 2n + divisor) / (divisor * 2n));
}
