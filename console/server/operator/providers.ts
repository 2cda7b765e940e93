import { allowedMemberSchema } from '@tollgate/core/providers/allowed-members';
import { createId } from '@tollgate/core/runtime/ids';
import { allowOwnCredentials, countOwnCredentials } from '@tollgate/db/queries/accounts/own-credentials';
import { listUnknownMembers } from '@tollgate/db/queries/contracts/unknown-members';
import { readProviderHealth } from '@tollgate/db/queries/operator/provider-health';
import {
  addProvider,
  changeAllowedMembers,
  changeProvider,
  findProvider,
  listProviders,
  MAX_ALLOWED_MEMBERS,
  removeProvider,
} from '@tollgate/db/queries/providers/providers';
import { findCredentialById, listCredentials } from '@tollgate/db/queries/providers/provider-credentials';
import { CREDENTIAL_FORMS } from '@tollgate/upstreams/credential/read-credential';
import { findPreset, PRESETS } from '@tollgate/upstreams/presets/presets';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { acceptPart, joinParts, parsePart } from '../form-part.ts';
import { operatorProcedure, router } from '../trpc.ts';
import { connectionSchema, sealConnection } from './provider-connection.ts';
import { headersInput, sealHeaders } from './provider-headers.ts';
import {
  credentialSchema,
  providerLimitsSchema,
  providerTermsSchema,
  readAddress,
  sealCredential,
} from './provider-terms.ts';
import { testProvider, type ProviderTest } from './provider-test.ts';
import {
  toProviderRow,
  type PresetRow,
  type ProviderListRow,
  type UnknownMemberRow,
} from './provider-view.ts';

const HOUR_MS = 3_600_000;
const DIALECTS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
const providerIdSchema = z.object({ providerId: z.string().max(64) });
const nameSchema = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'Use 1 to 63 lower-case letters, digits, dots, dashes and underscores',
  );

export const operatorProvidersRouter = router({
  list: operatorProcedure.query(async ({ ctx }): Promise<{ providers: ProviderListRow[] }> => {
    const { db, clock } = ctx.deps;
    const [providers, credentials, own, health] = await Promise.all([
      listProviders(db),
      listCredentials(db),
      countOwnCredentials(db),
      readProviderHealth(db, new Date(clock.nowMs() - HOUR_MS)),
    ]);
    const byProvider = Map.groupBy(credentials, ({ providerId }) => providerId);
    const byName = new Map(health.map((row) => [row.provider, row]));
    return {
      providers: providers.map((provider) =>
        toProviderRow(provider, {
          credentials: byProvider.get(provider.id) ?? [],
          ownCredentials: own.get(provider.id) ?? 0,
          health: byName.get(provider.name) ?? null,
        }),
      ),
    };
  }),

  presets: operatorProcedure.query((): { presets: PresetRow[] } => ({
    presets: PRESETS.map(({ name, title, dialect, baseUrl, settings, credential, docs }) => ({
      name,
      title,
      dialect,
      baseUrl,
      settings: settings.map((setting) => ({ ...setting })),
      needsCredential: credential !== 'none',
      credentialForm: CREDENTIAL_FORMS[credential],
      docs,
    })),
  })),

  /** `preset` null: an address of the operator's own, which speaks `dialect`. */
  add: operatorProcedure
    .input(
      z.object({
        name: z.string().max(1_000),
        preset: z.string().max(64).nullable(),
        dialect: z.enum(DIALECTS),
        terms: providerTermsSchema,
        credential: credentialSchema,
        headers: headersInput.default([]),
        connection: connectionSchema.nullable().default(null),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const preset = input.preset === null ? null : findPreset(input.preset);
      if (input.preset !== null && preset === null) throw notFound('preset');
      const id = createId('prov');
      const { terms, headers, connection } = input;
      const read = joinParts({
        name: parsePart('name', nameSchema, input.name),
        baseUrl: readAddress(preset, terms),
        credentialSealed: sealCredential(ctx.deps, { id, preset }, input),
        headers: sealHeaders(ctx.deps, id, { headers, stored: null }),
        connection:
          connection === null
            ? acceptPart({})
            : sealConnection(ctx.deps, id, { input: connection, stored: null }),
        limits: parsePart('terms', providerLimitsSchema, terms),
      });
      const provider = {
        ...read.limits,
        ...read.headers,
        ...read.connection,
        id,
        name: read.name,
        preset: preset?.name ?? null,
        dialect: preset?.dialect ?? input.dialect,
        baseUrl: read.baseUrl,
        settings: terms.settings,
        credentialSealed: read.credentialSealed,
      };
      if ((await addProvider(ctx.deps.db, provider, ctx.session.user.id)) === null)
        throw deny('BAD_REQUEST', 'A provider with this name already exists.', { field: 'name' });
      return { id };
    }),

  /**
   * `connection` null: it stays. `credential` null: it stays; '': it is forgotten. `headers` null: they stay; else they are all that there are. Both are
   * written and never read again.
   */
  change: operatorProcedure
    .input(
      z.object({
        ...providerIdSchema.shape,
        terms: providerTermsSchema,
        credential: credentialSchema.nullable(),
        headers: headersInput.nullable().default(null),
        connection: connectionSchema.nullable().default(null),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<void> => {
      const { db } = ctx.deps;
      const { providerId: id, terms, credential, headers, connection } = input;
      const stored = await findProvider(db, id);
      if (stored === null) throw notFound('provider');
      if (stored.dialect === 'demo')
        throw deny('BAD_REQUEST', 'The demo provider is built in and cannot be changed.');
      const preset = stored.preset === null ? null : findPreset(stored.preset);
      const read = joinParts({
        baseUrl: readAddress(preset, terms),
        credential:
          credential === null
            ? acceptPart(null)
            : sealCredential(ctx.deps, { id, preset }, { credential, headers: headers ?? [] }),
        headers: headers === null ? acceptPart(null) : sealHeaders(ctx.deps, id, { headers, stored }),
        connection:
          connection === null
            ? acceptPart(null)
            : sealConnection(ctx.deps, id, { input: connection, stored }),
        limits: parsePart('terms', providerLimitsSchema, terms),
      });
      await changeProvider(db, {
        id,
        actorUserId: ctx.session.user.id,
        terms: {
          ...read.limits,
          baseUrl: read.baseUrl,
          settings: terms.settings,
          ...(credential !== null && { credentialSealed: read.credential }),
          ...(read.headers !== null && { headers: read.headers }),
          ...(read.connection !== null && { connection: read.connection }),
        },
      });
    }),

  /** Request members that the provider's contract does not know, as they arrived. */
  unknownMembers: operatorProcedure
    .input(providerIdSchema)
    .query(async ({ ctx, input }): Promise<{ members: UnknownMemberRow[] }> => {
      const provider = await findProvider(ctx.deps.db, input.providerId);
      if (provider === null) throw notFound('provider');
      const members = await listUnknownMembers(ctx.deps.db, provider.name);
      return {
        members: members.map(({ member, client, requests, firstSeenAt, lastSeenAt }) => ({
          member,
          client,
          requests,
          firstSeenAt: firstSeenAt.toISOString(),
          lastSeenAt: lastSeenAt.toISOString(),
        })),
      };
    }),

  /** Forwards members by name, or no longer. */
  allowMembers: operatorProcedure
    .input(
      z.object({
        ...providerIdSchema.shape,
        allow: z.array(allowedMemberSchema).max(MAX_ALLOWED_MEMBERS).default([]),
        disallow: z.array(allowedMemberSchema).max(MAX_ALLOWED_MEMBERS).default([]),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<void> => {
      const { providerId: id, allow, disallow } = input;
      const actorUserId = ctx.session.user.id;
      if ((await findProvider(ctx.deps.db, id)) === null) throw notFound('provider');
      if ((await changeAllowedMembers(ctx.deps.db, { id, allow, disallow, actorUserId })) === null)
        throw deny('BAD_REQUEST', `A provider can have at most ${MAX_ALLOWED_MEMBERS} allowed members.`);
    }),

  remove: operatorProcedure
    .input(providerIdSchema)
    .mutation(async ({ ctx, input }): Promise<{ removedRoutes: number }> => {
      const provider = await findProvider(ctx.deps.db, input.providerId);
      if (provider === null) throw notFound('provider');
      return removeProvider(ctx.deps.db, provider, ctx.session.user.id);
    }),

  /** Whether accounts may attach their credentials. */
  allowOwnCredentials: operatorProcedure
    .input(z.object({ ...providerIdSchema.shape, isAllowed: z.boolean() }))
    .mutation(async ({ ctx, input: { providerId: id, isAllowed } }): Promise<void> => {
      const change = { id, isAllowed, actorUserId: ctx.session.user.id };
      if (!(await allowOwnCredentials(ctx.deps.db, change))) throw notFound('provider');
    }),

  /** One real call with the stored credential. */
  test: operatorProcedure.input(providerIdSchema).mutation(async ({ ctx, input }): Promise<ProviderTest> => {
    // The first credential has the id of its provider.
    const first = await findCredentialById(ctx.deps.db, input.providerId);
    return testProvider(ctx.deps, input.providerId, first);
  }),
});
