import {
  findOwnCredential,
  listOwnCredentials,
  removeOwnCredential,
  setOwnCredential,
} from '@tollgate/db/queries/accounts/own-credentials';
import { findProvider } from '@tollgate/db/queries/providers/providers';
import { CREDENTIAL_FORMS } from '@tollgate/upstreams/credential/read-credential';
import { findPreset } from '@tollgate/upstreams/presets/presets';
import { z } from 'zod';
import type { Done } from '../auth/router.ts';
import { deny, notFound } from '../denial.ts';
import type { ProviderTest } from '../operator/provider-test.ts';
import { memberProcedure, router, verifiedMemberProcedure } from '../trpc.ts';
import { sealOwnCredential } from './seal-own-credential.ts';
import { testOwnCredential } from './test-own-credential.ts';

/** A provider that the account may attach a credential for; the value never leaves the server. */
export interface OwnCredentialView {
  providerId: string;
  /** The name of the provider. */
  name: string;
  /** What its credential looks like, in words. */
  form: string;
  /** False: the operator does not allow it any more. */
  isAllowed: boolean;
  /** null: the account has none. */
  credential: { mode: 'first' | 'only'; changedAt: string } | null;
}

const providerSchema = z.object({ providerId: z.string().max(64) });

export const ownCredentialsRouter = router({
  list: memberProcedure('viewer').query(async ({ ctx }): Promise<{ providers: OwnCredentialView[] }> => {
    const rows = await listOwnCredentials(ctx.deps.db, ctx.account.id);
    return {
      providers: rows.map(({ preset, credential, ...row }) => ({
        ...row,
        form: CREDENTIAL_FORMS[(preset === null ? null : findPreset(preset))?.credential ?? 'api-key'],
        credential: credential && { mode: credential.mode, changedAt: credential.changedAt.toISOString() },
      })),
    };
  }),

  /** `credential` null: its value stays. */
  set: verifiedMemberProcedure('admin')
    .input(
      z.object({
        ...providerSchema.shape,
        mode: z.enum(['first', 'only']),
        credential: z.string().trim().max(20_000).nullable(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<Done> => {
      const { db, clock } = ctx.deps;
      const { providerId, mode, credential } = input;
      const accountId = ctx.account.id;
      const provider = await findProvider(db, providerId);
      if (provider === null || !provider.allowsOwnCredentials) throw notFound('provider');
      const isSet = await setOwnCredential(db, {
        accountId,
        providerId,
        mode,
        credentialSealed:
          credential === null ? null : sealOwnCredential(ctx.deps, { accountId, provider, text: credential }),
        actorUserId: ctx.session.user.id,
        at: new Date(clock.nowMs()),
      });
      if (!isSet) throw deny('BAD_REQUEST', 'Enter the credential.', { field: 'credential' });
      return {};
    }),

  remove: verifiedMemberProcedure('admin')
    .input(providerSchema)
    .mutation(async ({ ctx, input }): Promise<Done> => {
      const removed = { accountId: ctx.account.id, providerId: input.providerId };
      const actorUserId = ctx.session.user.id;
      if (!(await removeOwnCredential(ctx.deps.db, { ...removed, actorUserId })))
        throw notFound('credential');
      return {};
    }),

  /** One real call with the credential of the account. */
  test: verifiedMemberProcedure('admin')
    .input(providerSchema)
    .mutation(async ({ ctx, input }): Promise<ProviderTest> => {
      const place = { accountId: ctx.account.id, providerId: input.providerId };
      const stored = await findOwnCredential(ctx.deps.db, place);
      if (stored === null) throw notFound('credential');
      return testOwnCredential(ctx.deps, stored);
    }),
});
