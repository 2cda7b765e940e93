/** Revenue minus provider cost. */
export interface Margin {
  /** In decimal nano-dollars; below zero: a loss. */
  nanoUsd: string;
  /** Of the revenue, in percent; null: no revenue. */
  percent: number | null;
}

export function computeMargin(figures: { revenueNanoUsd: string; providerCostNanoUsd: string }): Margin {
  const revenue = BigInt(figures.revenueNanoUsd);
  const margin = revenue - BigInt(figures.providerCostNanoUsd);
  // In tenths of a percent, which a number holds exactly.
  const percent = revenue > 0n ? Number((margin * 1000n) / revenue) / 10 : null;
  return { nanoUsd: margin.toString(), percent };
}

/** `38.2%`, `−12%`. */
export function formatMargin(percent: number): string {
  const text = Math.abs(percent) >= 100 ? Math.abs(percent).toFixed(0) : Math.abs(percent).toFixed(1);
  return `${percent < 0 ? '−' : ''}${text}%`;
}
