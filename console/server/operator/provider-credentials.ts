import { credentialLabelSchema, credentialWeight } from '@tollgate/core/providers/credential-terms';
import {
  addCredential,
  changeCredentialWeight,
  findCredentialById,
  listCredentials,
  MAX_CREDENTIALS,
  removeCredential,
  type ProviderCredentialRow,
} from '@tollgate/db/queries/providers/provider-credentials';
import { restoreCredential } from '@tollgate/db/queries/providers/set-aside-credentials';
import { findProvider, type Provider } from '@tollgate/db/queries/providers/providers';
import { findPreset } from '@tollgate/upstreams/presets/presets';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { joinParts, parsePart } from '../form-part.ts';
import { operatorProcedure, router } from '../trpc.ts';
import { credentialSchema, sealCredential } from './provider-terms.ts';
import { testProvider, type ProviderTest } from './provider-test.ts';

/** One of several credentials of a provider, without its value, which never leaves the server. */
export interface CredentialRow {
  id: string;
  label: string;
  weight: number;
  /** The variable of the api's environment that holds it; null: it is stored. */
  variable: string | null;
  /** Requests that name uploads use only this one. */
  isFirst: boolean;
  /** null: it is in use. */
  setAside: { at: string; cause: 'refused' | 'no_credit'; message: string | null } | null;
}

const idSchema = z.object({ credentialId: z.string().max(64) });
const weightSchema = z.coerce
  .number()
  .refine(
    (weight) => Number.isInteger(weight) && weight >= credentialWeight.min && weight <= credentialWeight.max,
    'Enter a whole number from 1 to 1,000,000',
  );
const weightInput = z.union([z.number(), z.string().trim().max(20)]);

export const operatorProviderCredentialsRouter = router({
  list: operatorProcedure
    .input(z.object({ providerId: z.string().max(64) }))
    .query(async ({ ctx, input }): Promise<{ credentials: CredentialRow[]; max: number }> => {
      const provider = await findProvider(ctx.deps.db, input.providerId);
      if (provider === null) throw notFound('provider');
      const rows = await listCredentials(ctx.deps.db, provider.id);
      return { credentials: rows.map((row) => toRow(row, provider)), max: MAX_CREDENTIALS };
    }),

  add: operatorProcedure
    .input(
      z.object({
        providerId: z.string().max(64),
        label: z.string().max(1_000),
        weight: weightInput,
        credential: credentialSchema,
      }),
    )
    .mutation(async ({ ctx, input }): Promise<void> => {
      const { db } = ctx.deps;
      const provider = await findProvider(db, input.providerId);
      if (provider === null) throw notFound('provider');
      const preset = provider.preset === null ? null : findPreset(provider.preset);
      const { label, weight, credentialSealed } = joinParts({
        label: parsePart('label', credentialLabelSchema, input.label),
        weight: parsePart('weight', weightSchema, input.weight),
        credentialSealed: sealCredential(
          ctx.deps,
          { id: provider.id, preset },
          { credential: input.credential, headers: [] },
        ),
      });
      if (credentialSealed === null)
        throw deny('BAD_REQUEST', 'Enter the credential.', { field: 'credential' });
      const actorUserId = ctx.session.user.id;
      const added = await addCredential(db, {
        providerId: provider.id,
        label,
        weight,
        credentialSealed,
        actorUserId,
      });
      if (!added.ok) throw refused(added.reason);
    }),

  setWeight: operatorProcedure
    .input(z.object({ ...idSchema.shape, weight: weightInput }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      const { weight } = joinParts({ weight: parsePart('weight', weightSchema, input.weight) });
      const change = { id: input.credentialId, weight, actorUserId: ctx.session.user.id };
      if (!(await changeCredentialWeight(ctx.deps.db, change))) throw notFound('credential');
    }),

  remove: operatorProcedure.input(idSchema).mutation(async ({ ctx, input }): Promise<void> => {
    const { db } = ctx.deps;
    const id = input.credentialId;
    if ((await findCredentialById(db, id)) === null) throw notFound('credential');
    if (!(await removeCredential(db, { id, actorUserId: ctx.session.user.id })))
      throw deny('BAD_REQUEST', 'A provider keeps its last credential. Edit the provider to replace it.');
  }),

  restore: operatorProcedure.input(idSchema).mutation(async ({ ctx, input }): Promise<void> => {
    const { db } = ctx.deps;
    const id = input.credentialId;
    if ((await findCredentialById(db, id)) === null) throw notFound('credential');
    await restoreCredential(db, { id, actorUserId: ctx.session.user.id, by: 'operator' });
  }),

  /** One real call with the credential, which is used again if it passes. */
  test: operatorProcedure.input(idSchema).mutation(async ({ ctx, input }): Promise<ProviderTest> => {
    const found = await findCredentialById(ctx.deps.db, input.credentialId);
    if (found === null) throw notFound('credential');
    return testProvider(ctx.deps, found.providerId, found);
  }),
});

function toRow(row: ProviderCredentialRow, provider: Provider): CredentialRow {
  const { id, label, weight, setAsideAt, setAsideCause, setAsideMessage } = row;
  const isFirst = id === provider.id;
  const setAside =
    setAsideAt === null || setAsideCause === null
      ? null
      : { at: setAsideAt.toISOString(), cause: setAsideCause, message: setAsideMessage };
  return { id, label, weight, variable: isFirst ? provider.credentialEnv : null, isFirst, setAside };
}

type Reason = Exclude<Awaited<ReturnType<typeof addCredential>>, { ok: true }>['reason'];

function refused(reason: Reason): Error {
  switch (reason) {
    case 'no_provider':
      return notFound('provider');
    case 'no_first':
      return deny('BAD_REQUEST', 'Edit the provider to set its first credential.');
    case 'too_many':
      return deny('BAD_REQUEST', `A provider can have at most ${MAX_CREDENTIALS} credentials.`);
    case 'taken':
      return deny('BAD_REQUEST', 'A credential with this label already exists.', { field: 'label' });
  }
}
