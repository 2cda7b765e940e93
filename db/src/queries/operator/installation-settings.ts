import { installationSettings } from '../../schema/installation.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';

export interface SignUpSettings {
  signUp: (typeof installationSettings.$inferSelect)['signUp'];
  /** In lower case. */
  signUpDomains: string[];
}

/** Sets who may sign up. */
export async function setSignUpSettings(
  db: Connection,
  input: { settings: SignUpSettings; now: Date; actorUserId: string },
): Promise<void> {
  const { settings, now, actorUserId } = input;
  await inTransaction(db, async (tx) => {
    const [stored = {}] = await tx.drizzle.select().from(installationSettings).for('update');
    await tx.drizzle.update(installationSettings).set({ ...settings, updatedAt: now });
    await recordAudit(tx, {
      actorUserId,
      action: 'installation.sign_up',
      subject: 'installation',
      detail: describeChange(stored, { ...settings }),
    });
  });
}
