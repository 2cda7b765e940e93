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
 * Writes a sign-in down, and emails its person where it came from a browser that is new to this login. A browser is known
 * by a separate cookie, which signs no one in and outlives sessions; where that is lost, by what it says of itself and
 * the network that it comes from, together. The first one of a login is known from the start.
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
    // Anyone who has not proven the address may not be its owner.
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
