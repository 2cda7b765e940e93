import { oneTimeCodeSchema, PASSWORD_MAX_LENGTH } from '@tollgate/core/keys/credentials';
import { returnPathSchema } from '@tollgate/core/people/return-path';
import { listIdentities, type IdentityProvider } from '@tollgate/db/queries/users/identities';
import { IDENTITY_PROVIDERS } from '@tollgate/db/schema/identities';
import { z } from 'zod';
import { startConfirmation } from './confirm.ts';
import { finishJourney } from './finish.ts';
import type { ExternalOutcome } from './outcome.ts';
import { confirmLink, sendConfirmation, unlinkIdentity } from './link.ts';
import { startJourney } from './start.ts';
import {
  confirmedProcedure,
  enrolmentProcedure,
  publicProcedure,
  router,
  verifiedProcedure,
} from '../../trpc.ts';
import type { Done } from '../router.ts';
import type { Resend } from '../throttle.ts';

const providerSchema = z.enum(IDENTITY_PROVIDERS);
/** What a provider adds to the address: a code, our state, and little else. */
const MAX_QUERY_LENGTH = 4_000;

export interface LinkedIdentity {
  id: string;
  provider: IdentityProvider;
  /** The address that the provider named last. */
  email: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** Signing in with a provider that the operator has set up. Refusals carry `data.reason` `external_…`. */
export const externalRouter = router({
  start: publicProcedure
    .input(
      z.object({
        provider: providerSchema,
        redirect: z.string().max(2_000).optional(),
        operatorToken: z.string().max(200).optional(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ url: string }> =>
      startJourney(ctx, input.provider, {
        kind: 'enter',
        redirect: input.redirect ?? null,
        operatorToken: input.operatorToken ?? null,
      }),
    ),

  finish: publicProcedure
    .input(z.object({ provider: providerSchema, query: z.string().max(MAX_QUERY_LENGTH) }))
    .mutation(async ({ ctx, input }): Promise<ExternalOutcome> =>
      finishJourney(ctx, input.provider, input.query),
    ),

  sendConfirmation: publicProcedure.mutation(async ({ ctx }): Promise<Resend> => sendConfirmation(ctx)),

  /** Refuses as BAD_REQUEST with `data.field` `password` or `code`. */
  confirm: publicProcedure
    .input(
      z.union([
        z.object({ password: z.string().min(1, 'Enter your password').max(PASSWORD_MAX_LENGTH) }),
        z.object({ code: oneTimeCodeSchema }),
      ]),
    )
    .mutation(async ({ ctx, input }): Promise<ExternalOutcome> => confirmLink(ctx, input)),

  linked: verifiedProcedure.query(async ({ ctx }): Promise<LinkedIdentity[]> => {
    const identities = await listIdentities(ctx.deps.db, ctx.session.user.id);
    return identities.map(({ id, provider, email, createdAt, lastUsedAt }) => ({
      id,
      provider,
      email,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }));
  }),

  startLink: confirmedProcedure
    .input(z.object({ provider: providerSchema }))
    .mutation(async ({ ctx, input }): Promise<{ url: string }> =>
      startJourney(ctx, input.provider, { kind: 'link', userId: ctx.session.user.id }),
    ),

  /** The way to re-authenticate at a linked provider; `finish` completes it. */
  startConfirm: enrolmentProcedure
    .input(z.object({ provider: providerSchema, redirect: returnPathSchema.optional() }))
    .mutation(async ({ ctx, input }): Promise<{ url: string }> =>
      startConfirmation(ctx, input.provider, input.redirect ?? null),
    ),

  /** Refuses the last way in with `data.reason` `last_way_in`. */
  unlink: confirmedProcedure
    .input(z.object({ id: z.string().max(64) }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await unlinkIdentity(ctx, ctx.session.user.id, input.id);
      return {};
    }),
});
