/** Small and fast models of each maker, the newest first. Checked on 2026-11-26. */
export const SMALL_MODELS: readonly string[] = [
  'claude-haiku-5-5',
  'claude-haiku-4-5',
  'gpt-6-luna',
  'gpt-5.6-luna',
  'gpt-5.4-mini',
  'gemini-3.1-flash-lite',
  'gemini-2.5-flash-lite',
];

/**
 * The model for small tasks, such as titles and summaries: a small one of the same maker if the key can use it, else the
 * model itself.
 * @param usable models that the key can use
 */
export function findSmallModel(model: string, usable: readonly string[]): string {
  const maker = getMaker(model);
  return SMALL_MODELS.find((small) => getMaker(small) === maker && usable.includes(small)) ?? model;
}

export function isSmallModel(model: string): boolean {
  return SMALL_MODELS.includes(model);
}

/** The first part of the name: `claude`, `gpt`. */
function getMaker(model: string): string {
  return model.split('-', 1)[0] ?? '';
}
