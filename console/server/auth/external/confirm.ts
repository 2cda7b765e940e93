import { hasPassword } from '@tollgate/auth/password';
import { findIdentity, listIdentities, type IdentityProvider } from '@tollgate/db/queries/users/identities';
import { findUserById } from '@tollgate/db/queries/users/users';
import type { Context } from '../../context.ts';
import { deny, notFound } from '../../denial.ts';
import type { ActiveSession } from '../../sessions.ts';
import { confirmSession } from '../confirm-identity.ts';
import type { ExternalOutcome } from './outcome.ts';
import type { ExternalPerson, ExternalProvider } from './provider.ts';
import { getProvider, startJourney } from './start.ts';
import type { Journey } from './tickets.ts';

/** Allowed difference between the clocks of the provider and of this server. */
const CLOCK_SKEW_MS = 60_000;

type SignedInContext = Context & { session: ActiveSession };

/** How a user can re-authenticate: with their password, or at the providers that can prove a new sign-in. */
export async function findConfirmationMethods({
  deps,
  session,
}: SignedInContext): Promise<{ hasPassword: boolean; providers: ExternalProvider[] }> {
  const user = await findUserById(deps.db, session.user.id);
  if (user !== null && hasPassword(user)) return { hasPassword: true, providers: [] };
  const identities = await listIdentities(deps.db, session.user.id);
  const providers = deps.externalProviders.filter(
    ({ id, provesFreshness }) => provesFreshness && identities.some(({ provider }) => provider === id),
  );
  return { hasPassword: false, providers };
}

/** Sends a signed-in user without a password to a linked provider, where they sign in again. */
export async function startConfirmation(
  ctx: SignedInContext,
  id: IdentityProvider,
  redirect: string | null,
): Promise<{ url: string }> {
  const { hasPassword: isByPassword, providers } = await findConfirmationMethods(ctx);
  if (isByPassword) throw denyProvider();
  if (!providers.some((provider) => provider.id === id)) throw notFound('sign-in provider');
  const startedAtMs = ctx.deps.clock.nowMs();
  return startJourney(ctx, id, { kind: 'confirm', userId: ctx.session.user.id, startedAtMs, redirect });
}

/**
 * Re-authenticates by the sign-in at a provider. The browser could remove the request for a new sign-in from the
 * address, so only the time in the signed ID token counts.
 */
export async function confirmAtProvider(
  ctx: Context,
  { id, person }: { id: IdentityProvider; person: ExternalPerson },
  aim: Extract<Journey['aim'], { kind: 'confirm' }>,
): Promise<ExternalOutcome> {
  const { deps, session } = ctx;
  if (session?.user.id !== aim.userId)
    throw deny('BAD_REQUEST', 'You were signed out. Sign in and try again.', { reason: 'external_expired' });
  const { label } = getProvider(deps, id);
  const identity = await findIdentity(deps.db, person);
  if (identity?.userId !== aim.userId)
    throw deny('BAD_REQUEST', `This ${label} login is not linked to your account. Use the linked login.`, {
      reason: 'external_other',
    });
  const { authenticatedAtMs } = person;
  const isFresh =
    authenticatedAtMs !== null &&
    authenticatedAtMs >= aim.startedAtMs - CLOCK_SKEW_MS &&
    authenticatedAtMs <= deps.clock.nowMs() + CLOCK_SKEW_MS;
  if (!isFresh)
    throw deny(
      'BAD_REQUEST',
      `${label} did not ask you to sign in again. Confirm with an emailed code instead.`,
      {
        reason: 'external_not_fresh',
      },
    );
  // They may have set a password since they left for the provider.
  if ((await findConfirmationMethods({ ...ctx, session })).hasPassword) throw denyProvider();
  await confirmSession({ ...ctx, session });
  return { next: 'confirmed', redirect: aim.redirect };
}

function denyProvider() {
  return deny('BAD_REQUEST', 'Your login has a password. Confirm with it.', { field: 'password' });
}
