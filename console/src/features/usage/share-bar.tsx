const PER_MILLE = 1_000n;

/** Decorative bar for a share; the figures next to it show the same. */
export function ShareBar({ part, whole }: { part: string; whole: string }) {
  const total = BigInt(whole);
  const share = total <= 0n ? 0 : Number((BigInt(part) * PER_MILLE) / total) / 10;
  return (
    <span aria-hidden className="mt-1 block h-[5px] overflow-hidden rounded-full bg-sunken">
      <span className="block h-full rounded-full bg-chart-1" style={{ width: `${share}%` }} />
    </span>
  );
}
