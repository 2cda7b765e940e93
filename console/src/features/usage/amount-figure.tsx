import { formatBalance } from '../../lib/format/money.ts';

/** From a dollar up the cents are what matters, below it the first three digits: the rest is there, and smaller. */
const PARTS = /^(−?\$(?:[1-9][\d,]*\.\d\d|0\.0*[1-9]\d{0,2}))(\d+)$/;

/** An amount as a figure, exact to the last digit. */
export function AmountFigure({ nanoUsd }: { nanoUsd: string }) {
  const text = formatBalance(nanoUsd);
  const [, first = text, rest = ''] = PARTS.exec(text) ?? [];
  return (
    <span className="whitespace-nowrap">
      {first}
      {rest !== '' && (
        <span className="text-[13px] leading-none font-normal tracking-normal text-ink-3 max-sm:text-[12px]">
          {rest}
        </span>
      )}
    </span>
  );
}
