import { createHash, randomBytes } from 'node:crypto';
import { createId } from '@tollgate/core/runtime/ids';
import type { Role } from '@tollgate/core/people/roles';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { addMember } from '@tollgate/db/queries/team/members';
import { createUserWithAccount } from '@tollgate/db/queries/users/users';
import type { Installation } from './installation.ts';
import { openInstallationDatabase } from './seed.ts';

const DAY_MS = 86_400_000;

/** Members of an account who never sign in. */
const COLLEAGUES: readonly [string, Role][] = [
  ['ada', 'admin'],
  ['a-colleague-with-a-rather-long-address', 'member'],
  ['grace', 'member'],
  ['linus', 'viewer'],
];

/** A team with invitations and audit events, at unique addresses. @returns the token of an open invitation */
export async function seedTeam(
  installation: Installation,
  team: { accountId: string; ownerEmail: string; invited: string },
): Promise<{ token: string }> {
  const db = await openInstallationDatabase(installation);
  const { accountId } = team;
  const domain = `${randomBytes(3).toString('hex')}.example`;
  const [owner] = await db.sql<{ id: string }[]>`SELECT id FROM users WHERE email = ${team.ownerEmail}`;
  const ownerId = owner?.id ?? '';
  let adminId = ownerId;
  for (const [name, role] of COLLEAGUES) {
    const email = `${name}@${domain}`;
    const made = await createUserWithAccount(db, {
      email,
      passwordHash: 'none',
      emailVerifiedAt: new Date(),
    });
    if (made === null) continue;
    await addMember(db, { userId: made.user.id, accountId, role });
    if (role === 'admin') adminId = made.user.id;
    await recordAudit(db, {
      actorUserId: made.user.id,
      accountId,
      action: 'invitation.accept',
      subject: 'inv_seeded',
      detail: { email, role },
    });
  }
  const invite = async (email: string, expiresMs: number) => {
    const token = randomBytes(32).toString('base64url');
    const tokenHash = createHash('sha256').update(token).digest('hex');
    await db.sql`
      INSERT INTO invitations (id, account_id, email, role, token_hash, invited_by, sent_at, expires_at)
      VALUES (${createId('inv')}, ${accountId}, ${email}, 'member', decode(${tokenHash}, 'hex'), ${adminId},
              now() - interval '3 hours', ${new Date(Date.now() + expiresMs).toISOString()})`;
    return token;
  };
  await invite(`late@${domain}`, -DAY_MS);
  const token = await invite(team.invited, 6 * DAY_MS);
  const acts: [string | null, string, Record<string, unknown>][] = [
    [ownerId, 'key.create', { name: 'production-api' }],
    [null, 'account.credit', { amountNanoUsd: '25000000000', reason: 'Welcome' }],
    [adminId, 'invitation.create', { email: team.invited, role: 'member' }],
    [adminId, 'member.role', { email: `linus@${domain}`, from: 'member', to: 'viewer' }],
    [ownerId, 'billing.auto_top_up', { enabled: true, thresholdNanoUsd: '5000000000', amountCents: 2000 }],
    [ownerId, 'account.rename', { from: team.ownerEmail, to: 'Acme' }],
  ];
  for (const [actorUserId, action, detail] of acts)
    await recordAudit(db, { actorUserId, accountId, action, subject: 'seeded', detail });
  await db.sql`UPDATE accounts SET name = 'Acme' WHERE id = ${accountId}`;
  await db.close();
  return { token };
}
