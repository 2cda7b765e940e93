import type { OperatorModel } from '../operator-types.ts';

/** Additional rates in the operator's notation, one per line. */
export function RateList({ rates }: { rates: OperatorModel['missingRates'] }) {
  return (
    <ul className="grid gap-0.5 font-mono text-[12.5px]">
      {rates.map(({ rate, value }) => (
        <li key={rate} className="flex flex-wrap gap-x-2">
          <span className="text-ink-2">{rate}</span>
          <span>{value}</span>
        </li>
      ))}
    </ul>
  );
}
