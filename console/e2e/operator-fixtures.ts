import { randomBytes } from 'node:crypto';
import { createId } from '@tollgate/core/ids';
import { PASSWORD, type Person } from './fixtures.ts';
import type { Installation } from './installation.ts';
import { createAccount } from './people.ts';
import { openInstallationDatabase } from './seed.ts';

/** Somebody who runs the installation, with a verified e-mail. */
export async function createOperator(installation: Installation): Promise<Person> {
  const email = `operator-${randomBytes(3).toString('hex')}@example.com`;
  const accountId = await createAccount(installation, { email, password: PASSWORD });
  const db = await openInstallationDatabase(installation);
  await db.sql`UPDATE users SET is_operator = true WHERE email = ${email}`;
  await db.close();
  return { email, password: PASSWORD, accountId };
}

/** A passkey that no authenticator has: to be counted and removed. */
export async function seedPasskey(installation: Installation, email: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  await db.sql`
    INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name)
    SELECT ${createId('pk')}, id, ${randomBytes(16)}, ${randomBytes(16)}, 0, 'Laptop' FROM users WHERE email = ${email}`;
  await db.close();
}
