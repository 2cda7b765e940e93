import { addTaxes, formatRate } from '@tollgate/core/money/taxes';
import { formatBalance } from '../../lib/format/money.ts';
import type { Billing } from '../../lib/trpc.ts';

const NANO_USD_PER_CENT = 10_000_000n;

interface TaxLinesProps {
  /** A whole number of cents. */
  creditNanoUsd: bigint;
  taxes: Billing['taxes'];
}

/** The credit, the taxes that are added to it, and the amount to pay. */
export function TaxLines({ creditNanoUsd, taxes }: TaxLinesProps) {
  const price = addTaxes(Number(creditNanoUsd / NANO_USD_PER_CENT), taxes.rates);
  const lines: [string, number][] = [
    ['Credit', price.netCents],
    ...price.taxes.map(({ name, ratePpm, amountCents }): [string, number] => [
      `${name} ${formatRate(ratePpm)}`,
      amountCents,
    ]),
  ];
  return (
    <div className="rounded-lg bg-sunken px-3 py-2">
      <dl className="grid grid-cols-[1fr_auto] gap-y-1 tabular-nums">
        {lines.map(([name, cents]) => (
          <Line key={name} name={name} cents={cents} />
        ))}
        <dt className="border-t pt-1 font-medium text-ink">You pay</dt>
        <dd className="border-t pt-1 pl-4 text-right font-medium text-ink">
          {formatCents(price.amountCents)}
        </dd>
      </dl>
      {taxes.reverseCharge && (
        <p className="mt-1">Reverse charge: you owe the tax to the tax office of your country.</p>
      )}
    </div>
  );
}

function Line({ name, cents }: { name: string; cents: number }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="pl-4 text-right">{formatCents(cents)}</dd>
    </>
  );
}

function formatCents(cents: number): string {
  return formatBalance((BigInt(cents) * NANO_USD_PER_CENT).toString());
}
