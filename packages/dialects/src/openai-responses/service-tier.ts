const TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'];

/**
 * The name that this dialect has for a service tier. Anthropic's `standard`, asked for as `standard_only`, is what is
 * called `default` here.
 * @returns null for a tier that it does not know
 */
export function toServiceTier(tier: string): string | null {
  if (tier === 'standard' || tier === 'standard_only') return 'default';
  return TIERS.includes(tier) ? tier : null;
}
