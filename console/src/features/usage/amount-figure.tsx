import { formatBalance } from '../../lib/format/money.ts';

/** From a dollar up the cents are what matters: the rest is there, and smaller. */
const CENTS = /^(−?\$[1-9][\d,]*\.\d\d)(\d+)$/;

/** An amount as a figure, exact to the last digit. */
export function AmountFigure({ nanoUsd }: { nanoUsd: string }) {
  const text = formatBalance(nanoUsd);
  const [, dollars = text, rest = ''] = CENTS.exec(text) ?? [];
  return (
    <>
      {dollars}
      {rest !== '' && (
        <span className="text-[13px] leading-none font-normal tracking-normal text-ink-3">{rest}</span>
      )}
    </>
  );
}
