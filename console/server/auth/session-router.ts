import { DEFAULT_DISPLAY, type DisplayPreferences } from '@tollgate/core/people/display-preferences';
import type { IdentityProvider } from '@tollgate/db/queries/users/identities';
import { listAccountsOfUser, setLastAccount, type AccountOfUser } from '@tollgate/db/queries/team/members';
import type { SecondFactorState } from '@tollgate/db/queries/users/sessions';
import { findUserById, type User } from '@tollgate/db/queries/users/users';
import { getRelyingParty } from './relying-party.ts';
import type { Context } from '../context.ts';
import { mayUseLocalTools } from './local-tools.ts';
import { memberProcedure, publicProcedure, router } from '../trpc.ts';
import type { Done } from './router.ts';

export interface SessionView {
  user: {
    id: string;
    email: string;
    emailVerified: boolean;
    isOperator: boolean;
    /** How they want to be called; null: by the email. */
    name: string | null;
    secondFactor: SecondFactorState;
    display: DisplayPreferences;
  } | null;
  accounts: AccountOfUser[];
  /** The account that this user opened last, on any device; null: none. They may have left it. */
  lastAccountId: string | null;
  /** The account of another person's that an operator looks at, the only one in `accounts` then; null: none. */
  viewing: { accountId: string; accountName: string; endsAt: string } | null;
  installation: {
    /** Ends with `/v1`. */
    publicApiUrl: string;
    /** `/dev/mailbox` exists, and this visitor may see it. */
    mailbox: boolean;
    /** Emails are not sent: they wait in the mailbox, which the link printed at startup opens. */
    keepsEmails: boolean;
    /** Where passkeys work; null: nowhere, since the installation has no host name with https. */
    passkeyOrigin: string | null;
    /** What people may sign in with next to a password, in the order of the buttons. */
    signInProviders: { id: IdentityProvider; label: string }[];
  };
}

export const sessionRouter = router({
  get: publicProcedure.query(async ({ ctx }): Promise<SessionView> => {
    const person = await findPerson(ctx);
    return {
      user: describeUser(ctx, person),
      lastAccountId: person?.lastAccountId ?? null,
      accounts: await listAccounts(ctx),
      viewing: ctx.viewing && { ...ctx.viewing, endsAt: ctx.viewing.endsAt.toISOString() },
      installation: {
        publicApiUrl: ctx.deps.settings.publicApiUrl,
        mailbox: ctx.deps.settings.hasMailbox && mayUseLocalTools(ctx),
        keepsEmails: ctx.deps.settings.hasMailbox,
        passkeyOrigin: getRelyingParty(ctx.deps.settings.publicConsoleUrl)?.origin ?? null,
        signInProviders: ctx.deps.externalProviders.map(({ id, label }) => ({ id, label })),
      },
    };
  }),

  /** Remembers the account with the login, so that it opens on every device. */
  chooseAccount: memberProcedure('viewer').mutation(async ({ ctx }): Promise<Done> => {
    await setLastAccount(ctx.deps.db, { userId: ctx.session.user.id, accountId: ctx.account.id });
    return {};
  }),
});

async function findPerson({ deps, session }: Context): Promise<User | null> {
  return session === null ? null : findUserById(deps.db, session.user.id);
}

function describeUser({ session }: Context, person: User | null): SessionView['user'] {
  if (session === null) return null;
  const { name, theme, timeZone, moneyPrecision } = person ?? { name: null, ...DEFAULT_DISPLAY };
  const display = { theme, timeZone, moneyPrecision };
  return { ...session.user, name, secondFactor: session.secondFactor, display };
}

async function listAccounts({ deps, session, viewing }: Context): Promise<SessionView['accounts']> {
  if (session === null) return [];
  if (viewing !== null)
    return [
      {
        id: viewing.accountId,
        name: viewing.accountName,
        isNamed: true,
        role: 'viewer',
        requiresTwoFactor: false,
      },
    ];
  return listAccountsOfUser(deps.db, session.user.id);
}
