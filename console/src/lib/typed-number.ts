/** `1,000`, `-12 500.25`: groups of three digits, all divided by the same character. */
const GROUPED = /^[-+−]?[1-9]\d{0,2}([,\s_])\d{3}(?:\1\d{3})*(?:\.\d*)?$/;

/**
 * A number as people type and paste it, without its dollar sign and without what divides groups of three digits. Other commas
 * stay, so that validation refuses them: `2,50` means two and a half in many countries and must not become 250.
 */
export function plainNumber(text: string): string {
  const bare = text.replaceAll('$', '').trim();
  return GROUPED.test(bare) ? bare.replaceAll(/[,\s_]/g, '') : bare;
}
