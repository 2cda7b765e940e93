import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { passkeyNameSchema } from '@tollgate/core/keys/credentials';
import { listPasskeys, type Passkey } from '@tollgate/db/queries/users/passkeys';
import { z } from 'zod';
import type { Entry } from './enter.ts';
import { addPasskey, beginPasskey, nameAnew, removePasskey } from './passkeys.ts';
import {
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  confirmByPasskey,
  signInByPasskey,
} from './use-passkey.ts';
import { enrolmentProcedure, factorProcedure, publicProcedure, router } from '../trpc.ts';
import type { Done } from './router.ts';

export interface PasskeyRow {
  id: string;
  name: string;
  createdAt: string;
  /** null: it has signed in no one yet. */
  lastUsedAt: string | null;
}

const base64Schema = z.string().max(16_384);
const idSchema = z.string().max(64);

const credentialFields = {
  id: base64Schema.min(1),
  rawId: base64Schema.min(1),
  type: z.literal('public-key'),
  // No extensions are requested.
  clientExtensionResults: z.unknown().transform(() => ({})),
};

const registrationSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64Schema,
    attestationObject: base64Schema,
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
}) satisfies z.ZodType<RegistrationResponseJSON>;

const authenticationSchema = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64Schema,
    authenticatorData: base64Schema,
    signature: base64Schema,
  }),
}) satisfies z.ZodType<AuthenticationResponseJSON>;

export const passkeysRouter = router({
  list: enrolmentProcedure.query(async ({ ctx }): Promise<{ passkeys: PasskeyRow[] }> => {
    const found = await listPasskeys(ctx.deps.db, ctx.session.user.id);
    return { passkeys: found.map(toRow) };
  }),

  beginAdding: factorProcedure.mutation(async ({ ctx }) => beginPasskey(ctx)),

  add: factorProcedure
    .input(z.object({ name: passkeyNameSchema, response: registrationSchema }))
    .mutation(async ({ ctx, input }): Promise<PasskeyRow> => toRow(await addPasskey(ctx, input))),

  rename: enrolmentProcedure
    .input(z.object({ id: idSchema, name: passkeyNameSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await nameAnew(ctx, input);
      return {};
    }),

  remove: factorProcedure
    .input(z.object({ id: idSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await removePasskey(ctx, input.id);
      return {};
    }),

  beginSignIn: publicProcedure.mutation(async ({ ctx }) => beginPasskeySignIn(ctx)),

  signIn: publicProcedure
    .input(z.object({ response: authenticationSchema }))
    .mutation(async ({ ctx, input }): Promise<Entry> => signInByPasskey(ctx, input.response)),

  beginConfirmation: enrolmentProcedure.mutation(async ({ ctx }) => beginPasskeyConfirmation(ctx)),

  /** In place of the password: see `sessions.confirm`. */
  confirm: enrolmentProcedure
    .input(z.object({ response: authenticationSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await confirmByPasskey(ctx, input.response);
      return {};
    }),
});

function toRow({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyRow {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
