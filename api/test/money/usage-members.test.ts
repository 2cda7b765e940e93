import {
  getAllInputTokens,
  getAllOutputTokens,
  getInputTokens,
  getOutputTokens,
  type TokenUsage,
} from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { MEDIA_TOKEN_CLASSES, SERVER_TOOLS } from '@tollgate/core/money/rates/rate-need';
import { toRates } from '@tollgate/core/money/rates/rate-lines';
import { usageExtrasSchema } from '@tollgate/core/money/rates/usage-schema';
import { compareUsage } from '@tollgate/db/queries/ledger/compare-usage';
import { showUsage } from '@tollgate/dialects/usage/completion-usage';
import { boundExtras } from '@tollgate/ledger/storable-usage';
import { FULL_USAGE } from '@tollgate/testing/full-usage';
import { describe, expect, it } from 'vitest';
import { PRICES } from '../gateway-fixture.ts';

const CARD = {
  ...PRICES,
  rates: toRates([
    ...MEDIA_TOKEN_CLASSES.map((name) => ({ rate: `tokens:${name}`, value: '50' })),
    ...SERVER_TOOLS.map((name) => ({ rate: `tool_calls:${name}`, value: '1000' })),
  ]),
};

/** The paths of all counts in a value. */
function listCounts(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'number') return path.at(-1) === 'priceId' ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => listCounts(inner, [...path, name]));
}

/** The same usage with one count increased by `by`. */
function withMore(usage: TokenUsage, path: readonly string[], by: number): TokenUsage {
  const changed = structuredClone(usage);
  let holder: object = changed;
  for (const name of path.slice(0, -1)) {
    const inner: unknown = Reflect.get(holder, name);
    if (typeof inner !== 'object' || inner === null) throw new Error(`no ${path.join('.')}`);
    holder = inner;
  }
  const last = path.at(-1) ?? '';
  Reflect.set(holder, last, Number(Reflect.get(holder, last) ?? 0) + by);
  return changed;
}

const costOfAll = (usage: TokenUsage) => computeCost(usage, CARD, 1_000_000, { findCard: () => CARD });
const getTokens = (usage: TokenUsage) => getAllInputTokens(usage) + getAllOutputTokens(usage);

/** Earlier searches are compared with all searches, so usage without differences has none of them. */
function withoutPreviews(usage: TokenUsage): TokenUsage {
  const { web_search_preview: _, ...toolCalls } = usage.extras?.toolCalls ?? {};
  const iterations = usage.extras?.iterations?.map((one) => ({ ...one, usage: withoutPreviews(one.usage) }));
  return { ...usage, extras: { ...usage.extras, toolCalls, ...(iterations && { iterations }) } };
}

describe('every count of a usage', () => {
  const paths = listCounts(FULL_USAGE).map((path) => [path.join('.'), path] as const);

  it('is in the list of checked counts', () => {
    expect(paths.length).toBe(2 * (5 + MEDIA_TOKEN_CLASSES.length + SERVER_TOOLS.length));
  });

  it.each(paths)('is billed: %s', (_, path) => {
    expect(costOfAll(withMore(FULL_USAGE, path, 1_000))).toBeGreaterThan(costOfAll(FULL_USAGE));
  });

  it.each(paths)('is stored and read again: %s', (_, path) => {
    const { extras } = withMore(FULL_USAGE, path, 7);
    expect(boundExtras(extras ?? {})).toEqual(extras);
    expect(usageExtrasSchema.parse(JSON.parse(JSON.stringify(extras)))).toEqual(extras);
  });

  it.each(paths)('is compared by `ledger verify`: %s', (_, path) => {
    const decoded = withoutPreviews(FULL_USAGE);
    expect(compareUsage(decoded, decoded)).toBeNull();
    expect(compareUsage(withMore(decoded, path, 7), decoded)).not.toBeNull();
  });

  it.each(paths.filter(([name]) => name.endsWith('Tokens')))('is counted and shown: %s', (name, path) => {
    const more = withMore(FULL_USAGE, path, 7);
    expect(getTokens(more)).toBe(getTokens(FULL_USAGE) + 7);
    if (name.includes('iterations')) return;
    const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens } = showUsage(
      more,
      null,
    );
    expect(inputTokens + cacheReadTokens + cacheWriteTokens + cacheWrite1hTokens).toBe(getInputTokens(more));
    expect(outputTokens).toBe(getOutputTokens(more));
  });
});
