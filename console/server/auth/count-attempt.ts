import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { findFamiliarity } from '@tollgate/db/queries/users/known-devices';
import type { User } from '@tollgate/db/queries/users/users';
import { inTransaction } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { signInsPausedMail } from '../mail/security-templates.ts';
import { readDevice } from './device.ts';
import { linkTo } from './links.ts';
import { countHits, denyThrottled, forgiveAttempts, type LimitName } from './throttle.ts';

type Step = 'password' | 'code';

/** The budgets of each step of a sign-in. */
const BUDGETS = {
  password: {
    device: 'signInByEmailAndDevice',
    network: 'signInByEmailAndIp',
    elsewhere: 'signInByEmailElsewhere',
  },
  code: {
    device: 'secondFactorByUserAndDevice',
    network: 'secondFactorByUserAndIp',
    elsewhere: 'secondFactorByUserElsewhere',
  },
} as const satisfies Record<Step, Record<'device' | 'network' | 'elsewhere', LimitName>>;

export interface CountedAttempt {
  /** Clears the attempts of this browser or network after a successful sign-in. */
  forgive(): Promise<void>;
}

/**
 * Counts an attempt at a login before it is checked, so that concurrent guesses are all counted. A browser that has
 * signed in to this login before has a separate budget, and so has each network. All others share one budget per
 * login, which limits guesses from many places; when it is used up, the user gets one email a day.
 * @param attempt.login the entered email, or the user's id after the first step
 * @param attempt.user the login's user; null if there is none
 * @throws TOO_MANY_REQUESTS, the same whether the login exists or not
 */
export async function countAttempt(
  ctx: Context,
  attempt: { step: Step; login: string; user: User | null },
): Promise<CountedAttempt> {
  const { step, login, user } = attempt;
  const { db } = ctx.deps;
  const names = BUDGETS[step];
  const device = readDevice(ctx);
  const address = ctx.clientIp === '' ? null : ctx.clientIp;
  const familiarity = await findFamiliarity(db, { userId: user?.id ?? '', device, address });
  const isDevice = device !== null && familiarity === 'device';
  const own = isDevice ? names.device : names.network;
  const subject = [login, isDevice ? device.toString('hex') : ctx.clientIp];
  const hit = await countHits(db, ctx, {
    ...(!isDevice && step === 'password' && { signInByIp: [ctx.clientIp] }),
    [own]: subject,
    ...(familiarity === 'none' && { [names.elsewhere]: [login] }),
  });
  if (!hit.ok) {
    if (hit.limit === names.elsewhere && user !== null) await warnOwner(ctx, user, step);
    throw denyThrottled(hit.retryAfterSeconds);
  }
  return { forgive: () => forgiveAttempts(ctx, own, subject) };
}

async function warnOwner(ctx: Context, user: User, step: Step): Promise<void> {
  const { deps } = ctx;
  if (user.emailVerifiedAt === null) return;
  const isMailed = await inTransaction(deps.db, async (tx) => {
    const budget = await countHits(tx, ctx, { pausedMailByUser: [user.id, step] });
    if (!budget.ok) return false;
    await recordAudit(tx, {
      actorUserId: null,
      action: 'user.sign_ins_paused',
      subject: user.id,
      detail: { step },
    });
    const mail = signInsPausedMail({ step, forgotLink: linkTo(deps.settings, 'forgot') });
    await queueMail(tx, deps.sealer, { recipient: user.email, mail });
    return true;
  });
  if (isMailed) deps.onMailQueued();
}
