import { hash, randomBytes } from 'node:crypto';
import { describeDevice } from '@tollgate/core/describe-device';
import { recordAudit } from '@tollgate/db/queries/audit';
import { rememberDevice } from '@tollgate/db/queries/known-devices';
import type { User } from '@tollgate/db/queries/users';
import { inTransaction } from '@tollgate/db/transaction';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { queueMail } from '@tollgate/mail/queue-mail';
import { newDeviceMail } from '../mail/security-templates.ts';
import { linkTo } from './links.ts';

const COOKIE = 'tollgate_device';
const TOKEN = /^[0-9A-Za-z_-]{22}$/;
const TOKEN_BYTES = 16;
/** As long as browsers keep a cookie at most; renewed with each sign-in. */
export const DEVICE_LIFE_MS = 400 * 86_400_000;
const MAX_USER_AGENT_LENGTH = 400;

/**
 * Writes a sign-in down, and mails its person where it came from a browser that is new to this login. A browser is known
 * by a cookie of its own, which signs nobody in and outlives sessions; where that is lost, by what it says of itself and
 * the network that it comes from, together. The first one of a login is known from the start.
 */
export async function noticeDevice(ctx: Context, user: User): Promise<void> {
  const { deps } = ctx;
  const held = ctx.readCookie(COOKIE);
  const token = held !== null && TOKEN.test(held) ? held : randomBytes(TOKEN_BYTES).toString('base64url');
  ctx.setCookie(writeCookie(deps, token));
  const at = new Date(deps.clock.nowMs());
  const userAgent = ctx.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  const address = ctx.clientIp === '' ? null : ctx.clientIp;
  const isNew = await inTransaction(deps.db, async (tx) => {
    const device = hash('sha256', token, 'buffer');
    const novelty = await rememberDevice(tx, { userId: user.id, device, userAgent, address, at });
    await recordAudit(tx, {
      actorUserId: user.id,
      action: 'user.signed_in',
      subject: user.id,
      detail: { userAgent, address, isNewDevice: novelty === 'new' },
    });
    // Whoever has not proven the address may not be its owner.
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

function writeCookie({ settings }: Deps, token: string): string {
  const secure = settings.publicConsoleUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${token}; Path=/trpc; Max-Age=${DEVICE_LIFE_MS / 1000}; HttpOnly; SameSite=Lax${secure}`;
}
