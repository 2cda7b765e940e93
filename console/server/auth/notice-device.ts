import { describeDevice } from '@tollgate/core/people/describe-device';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { rememberDevice } from '@tollgate/db/queries/users/known-devices';
import type { User } from '@tollgate/db/queries/users/users';
import { inTransaction } from '@tollgate/db/transaction';
import type { Context } from '../context.ts';
import { queueMail } from '@tollgate/mail/queue-mail';
import { newDeviceMail } from '../mail/security-templates.ts';
import { keepDevice } from './device.ts';
import { linkTo } from './links.ts';

const MAX_USER_AGENT_LENGTH = 400;

/**
 * Records a sign-in, and emails the user if the browser is new to this login. A browser is recognized by a separate
 * cookie, which cannot sign in and outlives sessions, or else by its user agent and network together. The first
 * browser of a login is never new.
 */
export async function noticeDevice(ctx: Context, user: User): Promise<void> {
  const { deps } = ctx;
  const device = keepDevice(ctx);
  const at = new Date(deps.clock.nowMs());
  const userAgent = ctx.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  const address = ctx.clientIp === '' ? null : ctx.clientIp;
  const isNew = await inTransaction(deps.db, async (tx) => {
    const novelty = await rememberDevice(tx, { userId: user.id, device, userAgent, address, at });
    await recordAudit(tx, {
      actorUserId: user.id,
      action: 'user.signed_in',
      subject: user.id,
      detail: { userAgent, address, isNewDevice: novelty === 'new' },
    });
    // Users who have not verified the address may not own it.
    if (novelty !== 'new' || user.emailVerifiedAt === null) return false;
    const mail = newDeviceMail({
      device: describeDevice(userAgent).name,
      address,
      at,
      settingsLink: linkTo(deps.settings, 'settings'),
      forgotLink: linkTo(deps.settings, 'forgot'),
    });
    await queueMail(tx, deps.sealer, { recipient: user.email, mail });
    return true;
  });
  if (isNew) deps.onMailQueued();
}
