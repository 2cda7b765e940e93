import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { revokeCodes } from '@tollgate/db/queries/users/codes';
import { deleteSessionsOfUser } from '@tollgate/db/queries/users/sessions';
import { findUserById, lockUser, setPasswordHash } from '@tollgate/db/queries/users/users';
import { inTransaction } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { passwordChangedMail } from '../mail/templates.ts';
import type { ActiveSession } from '../sessions.ts';
import { checkCurrentPassword } from './confirm-identity.ts';
import { checkNewPassword } from './check-new-password.ts';
import { linkTo } from './links.ts';
import { throttle } from './throttle.ts';

const FIELD = 'currentPassword';
const WRONG = 'Wrong current password.';

/** Changes the password, given the current one, or sets the first one. Ends all other sessions of the user. */
export async function changePassword(
  ctx: Context & { session: ActiveSession },
  input: { currentPassword?: string | undefined; newPassword: string },
): Promise<void> {
  const { deps, session } = ctx;
  const userId = session.user.id;
  await throttle(ctx, { passwordBySession: [session.id] });
  const user = await findUserById(deps.db, userId);
  const { currentPassword: password } = input;
  await checkCurrentPassword(ctx, user, { password, field: FIELD, message: WRONG });
  if (user === null) throw denyCurrent();
  checkNewPassword(input.newPassword, user.email, 'newPassword');
  const passwordHash = await deps.passwords.hash(input.newPassword);
  const isDone = await inTransaction(deps.db, async (tx) => {
    const locked = await lockUser(tx, userId);
    // Another person changed it while this one was checked: theirs came first.
    if (locked?.passwordHash !== user.passwordHash) return false;
    await setPasswordHash(tx, userId, passwordHash);
    await deleteSessionsOfUser(tx, userId, deps.sessions.hashId(session.id));
    await revokeCodes(tx, userId);
    await recordAudit(tx, { actorUserId: userId, action: 'user.password_changed', subject: userId });
    const mail = passwordChangedMail({ forgotLink: linkTo(deps.settings, 'forgot') });
    await queueMail(tx, deps.sealer, { recipient: locked.email, mail });
    return true;
  });
  if (!isDone) throw denyCurrent();
  deps.onMailQueued();
}

function denyCurrent() {
  return deny('BAD_REQUEST', WRONG, { field: FIELD });
}
