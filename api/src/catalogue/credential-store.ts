import type { Database } from '@tollgate/db/client';
import { restoreCredential, setCredentialAside } from '@tollgate/db/queries/providers/set-aside-credentials';
import type { CredentialStore } from './credential-states.ts';

/** The states of credentials in the database; every replica gets its changes. */
export function openCredentialStore(db: Database): CredentialStore {
  return {
    setAside: (refused) => setCredentialAside(db, refused),
    restore: (credential) => restoreCredential(db, { ...credential, actorUserId: null, by: 'request' }),
  };
}
