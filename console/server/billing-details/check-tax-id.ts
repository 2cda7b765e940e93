import { stdnum } from 'stdnum';

const WELL_FORMED = /^[0-9A-Z][0-9A-Z ./-]{1,38}[0-9A-Z]$/i;
/** Prefixes of tax IDs that differ from the country's code. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL' };

/**
 * Checks the form and the check digits of a tax ID by the rules of its country, but not whether a tax office issued it. For
 * countries without known rules, any ID that looks like one is accepted.
 * @param country ISO 3166-1 alpha-2
 */
export function isTaxId(taxId: string, country: string): boolean {
  if (!WELL_FORMED.test(taxId)) return false;
  const rules = Object.entries(stdnum).find(([code]) => code === country)?.[1];
  if (rules === undefined) return true;
  const prefix = PREFIXES[country] ?? country;
  const bare = taxId.toUpperCase().startsWith(prefix) ? taxId.slice(prefix.length).trim() : taxId;
  return Object.values(rules).some((rule) => rule.validate(taxId).isValid || rule.validate(bare).isValid);
}
