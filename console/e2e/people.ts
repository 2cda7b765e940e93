import { createPasswordHasher } from '@tollgate/auth/password';
import { createUserWithAccount } from '@tollgate/db/queries/users/users';
import type { Installation } from './installation.ts';
import { openInstallationDatabase } from './seed.ts';

const passwords = createPasswordHasher();
/** Cached, because hashing is slow and most test users share a password. */
const hashes = new Map<string, Promise<string>>();

/** Creates a verified user with an account, without the browser. @returns the account's id */
export async function createAccount(
  installation: Installation,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const hash = hashes.get(password) ?? passwords.hash(password);
  hashes.set(password, hash);
  const passwordHash = await hash;
  const db = await openInstallationDatabase(installation);
  try {
    const created = await createUserWithAccount(db, { email, passwordHash, emailVerifiedAt: new Date() });
    if (created === null) throw new Error(`${email} is taken`);
    return created.accountId;
  } finally {
    await db.close();
  }
}
