import { secondFactorCodeSchema } from '@tollgate/core/keys/credentials';
import { z } from 'zod';
import {
  beginTwoFactor,
  readTwoFactor,
  remakeRecoveryCodes,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from './two-factor.ts';
import { enrolmentProcedure, factorProcedure, router } from '../trpc.ts';
import type { Done } from './router.ts';

export interface TwoFactorView {
  /** null: it is off. */
  onSince: string | null;
  recoveryCodesLeft: number;
}

const codeInput = z.object({ code: secondFactorCodeSchema });

export const twoFactorRouter = router({
  get: enrolmentProcedure.query(async ({ ctx }): Promise<TwoFactorView> => {
    const { onSince, recoveryCodesLeft } = await readTwoFactor(ctx);
    return { onSince: onSince?.toISOString() ?? null, recoveryCodesLeft };
  }),

  /** Makes the secret for the app, in base 32 and as the address that apps scan. */
  begin: factorProcedure.mutation(async ({ ctx }): Promise<{ secret: string; uri: string }> =>
    beginTwoFactor(ctx),
  ),

  /** The first code of the app turns it on. Refuses as BAD_REQUEST with `data.field` `code`. */
  turnOn: factorProcedure
    .input(codeInput)
    .mutation(async ({ ctx, input }): Promise<{ recoveryCodes: string[] }> => ({
      recoveryCodes: await turnOnTwoFactor(ctx, input.code),
    })),

  /** Refuses as BAD_REQUEST with `data.field` `code`. */
  turnOff: factorProcedure.input(codeInput).mutation(async ({ ctx, input }): Promise<Done> => {
    await turnOffTwoFactor(ctx, input.code);
    return {};
  }),

  remakeRecoveryCodes: factorProcedure.mutation(async ({ ctx }): Promise<{ recoveryCodes: string[] }> => ({
    recoveryCodes: await remakeRecoveryCodes(ctx),
  })),
});
