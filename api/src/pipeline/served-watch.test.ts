import type { TokenUsage } from '@tollgate/core/money/money';
import { expect, it } from 'vitest';
import { ServedWatch } from './served-watch.ts';

const USAGE: TokenUsage = {
  inputTokens: 1_000_000,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
};
const price = (inputNanoUsdPerMtok: bigint) => ({
  id: Number(inputNanoUsdPerMtok),
  effectiveFromMs: 0,
  inputNanoUsdPerMtok,
  outputNanoUsdPerMtok: 0n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
});

it('bills usage again when any input of its bill has changed', () => {
  const watch = new ServedWatch();
  const bill = (usage: TokenUsage, of: ReturnType<typeof price>) =>
    watch.bill(usage, {
      price: of,
      askedPrice: of,
      route: null,
      pricePpm: 1_000_000,
      catalogue: new Map(),
      startedAtMs: 0,
    }).costNanoUsd;
  const first = price(10n);
  expect(bill(USAGE, first)).toBe(10n);
  expect(bill(USAGE, first)).toBe(10n);
  expect(bill({ ...USAGE, inputTokens: 2_000_000 }, first)).toBe(20n);
  expect(bill(USAGE, price(30n))).toBe(30n);
});
