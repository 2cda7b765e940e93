import type { RequestContract } from './contract.ts';
import { isKnownBeta } from './inspect-request.ts';

/** Headers that list beta features. */
const BETA_HEADERS: ReadonlySet<string> = new Set(['anthropic-beta', 'openai-beta']);

/**
 * The value of a caller's header as the provider gets it.
 * @returns null if nothing is sent; `dropped` names beta features that the contract does not know
 */
export function fitHeader(
  contract: RequestContract,
  { name, value }: { name: string; value: string },
): { value: string | null; dropped: readonly string[] } {
  if (!BETA_HEADERS.has(name)) return { value, dropped: NONE };
  const betas = value
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');
  const known = betas.filter((beta) => isKnownBeta(contract, beta));
  if (known.length === betas.length) return { value, dropped: NONE };
  const dropped = betas.filter((beta) => !known.includes(beta)).map((beta) => `beta.${beta}`);
  return { value: known.length === 0 ? null : known.join(','), dropped };
}

/**
 * Names the beta features that a contract does not know.
 * @param names of headers that are forwarded
 */
export function findUnknownBetas(
  contract: RequestContract,
  names: readonly string[],
  header: (name: string) => string | null,
): readonly string[] {
  let found = NONE;
  for (const name of names) {
    if (!BETA_HEADERS.has(name)) continue;
    const value = header(name);
    if (value === null) continue;
    const { dropped } = fitHeader(contract, { name, value });
    if (dropped.length > 0) found = [...found, ...dropped];
  }
  return found;
}

const NONE: readonly string[] = [];

/**
 * The caller's query string as the provider gets it: only parameters of the contract.
 * @param query with its question mark, or empty
 */
export function fitQuery({ query: allowed }: RequestContract, query: string): string {
  if (query === '' || allowed.size === 0) return '';
  const kept = [...new URLSearchParams(query)].filter(
    ([name, value]) => allowed.get(name)?.test(value) === true,
  );
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`;
}
