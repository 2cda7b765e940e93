import type { ClassPrices } from '@tollgate/core/money/money';
import type { PriceField } from '@tollgate/core/money/price-fields';
import { z } from 'zod';
import type { CommandOption } from '../../command.ts';
import { priceOption } from '../../options/price-option.ts';

/** What a person types for the prices of a model. */
export const pricesShape = {
  inputPrice: priceOption.optional(),
  outputPrice: priceOption.optional(),
  cacheReadPrice: priceOption.optional(),
  cacheWritePrice: priceOption.optional(),
  cacheWrite1hPrice: priceOption.optional(),
};
const pricesSchema = z.object(pricesShape);
type TypedPrices = z.infer<typeof pricesSchema>;

interface ClassPriceOption extends CommandOption {
  read: (typed: TypedPrices) => bigint | undefined;
}

/** The option of each price, and how it is read. */
const PRICES: Record<PriceField, ClassPriceOption> = {
  inputNanoUsdPerMtok: {
    flags: '--input-price <usd>',
    about: 'USD per million input tokens (default: catalogue price)',
    read: (typed) => typed.inputPrice,
  },
  outputNanoUsdPerMtok: {
    flags: '--output-price <usd>',
    about: 'USD per million output tokens (default: catalogue price)',
    read: (typed) => typed.outputPrice,
  },
  cacheReadNanoUsdPerMtok: {
    flags: '--cache-read-price <usd>',
    about: 'USD per million cached input tokens (default: input price)',
    read: (typed) => typed.cacheReadPrice,
  },
  cacheWriteNanoUsdPerMtok: {
    flags: '--cache-write-price <usd>',
    about: 'USD per million tokens written to the cache (default: input price)',
    read: (typed) => typed.cacheWritePrice,
  },
  cacheWrite1hNanoUsdPerMtok: {
    flags: '--cache-write-1h-price <usd>',
    about: 'USD per million tokens written to the 1-hour cache (default: cache-write price)',
    read: (typed) => typed.cacheWrite1hPrice,
  },
};

export const PRICE_OPTIONS: readonly CommandOption[] = Object.values(PRICES);

/** The prices with a flag. */
export function readPrices(typed: TypedPrices): Partial<ClassPrices> {
  const given = Object.entries(PRICES).map(([field, { read }]) => [field, read(typed)] as const);
  return Object.fromEntries(given.filter(([, price]) => price !== undefined));
}
