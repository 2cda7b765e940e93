import { createSealer } from '@tollgate/auth/seal';
import type { Database } from '@tollgate/db/client';
import type { OwnCredentialMode } from '@tollgate/db/schema/own-credentials';
import { ownCredentialContext } from '@tollgate/upstreams/credential/credential';

/** Attaches a credential of an account to all providers, which allow it. */
export async function attachOwn(
  db: Database,
  {
    accountId,
    encryptionKey,
    mode = 'only',
    apiKey = 'zq9.opaque.value.of.account',
  }: { accountId: string; encryptionKey: string; mode?: OwnCredentialMode; apiKey?: string },
): Promise<void> {
  const rows = await db.sql<{ id: string }[]>`
    UPDATE providers SET allows_own_credentials = true WHERE dialect <> 'demo' RETURNING id`;
  for (const { id } of rows) {
    const credential = JSON.stringify({ kind: 'api-key', apiKey, headers: {} });
    const sealed = createSealer(encryptionKey).seal(credential, ownCredentialContext(accountId, id));
    await db.sql`INSERT INTO own_credentials (account_id, provider_id, mode, credential_sealed)
      VALUES (${accountId}, ${id}, ${mode}, ${sealed})
      ON CONFLICT (account_id, provider_id) DO UPDATE SET mode = ${mode}, credential_sealed = ${sealed}`;
  }
}
