const TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'];

/**
 * This dialect's name of a service tier. Anthropic's `standard`, requested as `standard_only`, is
 * `default` here.
 * @returns null for a tier that it does not know
 */
export function toServiceTier(tier: string): string | null {
  if (tier === 'standard' || tier === 'standard_only') return 'default';
  return TIERS.includes(tier) ? tier : null;
}
