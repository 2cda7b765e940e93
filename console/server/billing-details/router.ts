import { isCountryCode } from '@tollgate/core/money/countries';
import {
  readBillingDetails,
  setBillingDetails,
  type BillingDetails,
} from '@tollgate/db/queries/documents/billing-details';
import { z } from 'zod';
import { deny } from '../denial.ts';
import { memberProcedure, router, verifiedMemberProcedure } from '../trpc.ts';

const MAX_ADDRESS_LINES = 6;
/** Control characters other than line breaks. */
const CONTROL = /(?!\n)\p{Cc}/u;

const lineSchema = (name: string, max: number) =>
  z
    .string()
    .trim()
    .max(max, `The ${name} can have at most ${max} characters.`)
    .refine((text) => !/\p{Cc}/u.test(text), `Write the ${name} in one line.`);

const detailsSchema = z.object({
  companyName: lineSchema('company name', 200),
  address: z
    .string()
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .max(500, 'The address can have at most 500 characters.')
        .refine((text) => text.split('\n').length <= MAX_ADDRESS_LINES, 'Use at most 6 lines.')
        .refine((text) => !CONTROL.test(text), 'The address contains characters that cannot be printed.'),
    ),
  /** null: not given. */
  country: z.string().refine(isCountryCode, 'Choose a country.').nullable(),
  taxId: lineSchema('tax ID', 40),
});

/** The customer's details on receipts and statements of an account. */
export const billingDetailsRouter = router({
  get: memberProcedure('viewer').query(async ({ ctx }): Promise<BillingDetails> =>
    readBillingDetails(ctx.deps.db, ctx.account.id),
  ),

  /** Applies to later receipts. Refuses an invalid tax ID as BAD_REQUEST with the field as `data.field`. */
  set: verifiedMemberProcedure('admin')
    .input(z.object({ details: detailsSchema }))
    .mutation(async ({ ctx, input }): Promise<BillingDetails> => {
      const { details } = input;
      if (details.taxId !== '') await requireTaxId(details.taxId, details.country);
      const { db } = ctx.deps;
      await setBillingDetails(db, { accountId: ctx.account.id, actorUserId: ctx.session.user.id, details });
      return readBillingDetails(db, ctx.account.id);
    }),
});

async function requireTaxId(taxId: string, country: string | null): Promise<void> {
  if (country === null) throw deny('BAD_REQUEST', 'Choose the country of the tax ID.', { field: 'country' });
  // Loaded on first use: it has the rules of 90 countries.
  const { isTaxId } = await import('./check-tax-id.ts');
  if (!isTaxId(taxId, country))
    throw deny('BAD_REQUEST', 'This is not a tax ID of the chosen country. Check the digits.', {
      field: 'taxId',
    });
}
