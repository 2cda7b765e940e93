import type { ReactNode } from 'react';

interface DecimalAlignedProps {
  /** An amount such as `$0.0021`. */
  text: string;
  /** Decimals of the longest amount of the column. */
  decimals: number;
  /** Shows the amount. Default: the text. */
  children?: ReactNode;
}

/** Pads an amount in a right-aligned monospace column, so that the decimal points are below each other. */
export function DecimalAligned({ text, decimals, children = text }: DecimalAlignedProps) {
  const [, fraction = ''] = text.split('.');
  return (
    <>
      {children}
      <span aria-hidden className="whitespace-pre">
        {' '.repeat(Math.max(0, decimals - fraction.length))}
      </span>
    </>
  );
}
