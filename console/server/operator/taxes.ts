import { isCountryCode } from '@tollgate/core/money/countries';
import { parseRate } from '@tollgate/core/money/taxes';
import { addTaxRate, listTaxRates, removeTaxRate } from '@tollgate/db/queries/documents/tax-rates';
import { countAutoTopUpsWithoutAddress } from '@tollgate/db/queries/payments/automatic-top-ups';
import { readTaxMode, setTaxMode } from '@tollgate/db/queries/payments/price-top-up';
import { TAX_MODES, type TaxMode } from '@tollgate/db/schema/installation';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';

export interface TaxRateRow {
  id: string;
  name: string;
  ratePpm: number;
  /** null: customers of all countries without a rate. */
  country: string | null;
  /** True: customers with a tax ID pay no tax here. */
  reverseCharge: boolean;
}

interface TaxSettings {
  mode: TaxMode;
  hasStripe: boolean;
  /** Accounts whose automatic top-ups fail with Stripe Tax. */
  autoTopUpsWithoutAddress: number;
  rates: TaxRateRow[];
}

const rateSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(60, 'The name can have at most 60 characters.'),
  /** `19`, `8.875`. */
  percent: z.string().trim().max(10),
  country: z.string().refine(isCountryCode, 'Choose a country.').nullable(),
  reverseCharge: z.boolean(),
});

/** Taxes of later payments. */
export const taxesRouter = router({
  list: operatorProcedure.query(async ({ ctx }): Promise<TaxSettings> => {
    const rates = await listTaxRates(ctx.deps.db);
    return {
      mode: await readTaxMode(ctx.deps.db),
      hasStripe: ctx.deps.payments?.name === 'stripe',
      autoTopUpsWithoutAddress: await countAutoTopUpsWithoutAddress(ctx.deps.db),
      rates: rates.map(({ id, name, ratePpm, country, reverseCharge }) => ({
        id,
        name,
        ratePpm,
        country,
        reverseCharge,
      })),
    };
  }),

  /** `included`: a part of the amount of a top-up; `on_top`: added to it; `stripe`: added by Stripe Tax. */
  setMode: operatorProcedure
    .input(z.object({ mode: z.enum(TAX_MODES) }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      const { db, clock, payments } = ctx.deps;
      if (input.mode === 'stripe' && payments?.name !== 'stripe')
        throw deny('BAD_REQUEST', 'Stripe Tax needs payments through Stripe.', { field: 'mode' });
      const change = { taxMode: input.mode, now: new Date(clock.nowMs()) };
      await setTaxMode(db, { ...change, actorUserId: ctx.session.user.id });
    }),

  add: operatorProcedure.input(rateSchema).mutation(async ({ ctx, input }): Promise<void> => {
    const { percent, ...rest } = input;
    const ratePpm = parseRate(percent);
    if (ratePpm === null)
      throw deny('BAD_REQUEST', 'Enter a percentage up to 100, like 19 or 8.875.', { field: 'percent' });
    const isAdded = await addTaxRate(ctx.deps.db, {
      rate: { ...rest, ratePpm },
      actorUserId: ctx.session.user.id,
    });
    if (!isAdded)
      throw deny('BAD_REQUEST', 'A rate of this name exists for this country.', { field: 'name' });
  }),

  remove: operatorProcedure
    .input(z.object({ id: z.string().max(64) }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      if (!(await removeTaxRate(ctx.deps.db, { id: input.id, actorUserId: ctx.session.user.id })))
        throw notFound('tax rate');
    }),
});
