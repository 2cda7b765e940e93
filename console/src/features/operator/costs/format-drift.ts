const PPM_PER_PERCENT = 10_000;

/** A difference as a percentage with its sign: `10880` → `+1.1%`, `-500000` → `−50.0%`, `40` → `0.0%`. @param ppm millionths */
export function formatDrift(ppm: number): string {
  const text = (Math.abs(ppm) / PPM_PER_PERCENT).toFixed(1);
  if (Number(text) === 0) return `${text}%`;
  return `${ppm < 0 ? '−' : '+'}${text}%`;
}
