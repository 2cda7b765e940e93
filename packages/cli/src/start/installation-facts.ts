import { mintLinkToken } from '@tollgate/auth/one-time-code';
import { openDatabase } from '@tollgate/db/client';
import { listModelsOnOffer } from '@tollgate/db/queries/models/model-list';
import { createOperatorInvite } from '@tollgate/db/queries/users/operator-invite';
import type { Addresses } from './addresses.ts';

const LINK_VALID_FOR_MS = 24 * 3_600_000;
const DEMO_MODEL = 'tollgate-demo';

export interface InstallationFacts {
  /**
   * Creates the link that makes the first sign-up the operator. Replaces the link of an earlier start.
   * @returns null if the installation has an operator
   */
  makeOperatorLink(): Promise<string | null>;
  /** @returns an available model, preferably the demo; null if there is none */
  findModel(): Promise<string | null>;
  close(): Promise<void>;
}

/** Reads the facts for the greeting of `npm start` from the database. */
export function openInstallationFacts(databaseUrl: string, addresses: Addresses): InstallationFacts {
  const db = openDatabase(databaseUrl, { maxConnections: 1, applicationName: 'tollgate start' });
  return {
    async makeOperatorLink() {
      const { token, hash: tokenHash } = mintLinkToken();
      const expiresAt = new Date(Date.now() + LINK_VALID_FOR_MS);
      const isMade = await createOperatorInvite(db, { tokenHash, expiresAt });
      return isMade ? `${addresses.publicConsoleUrl}/sign-up?operator=${token}` : null;
    },
    async findModel() {
      const ids = (await listModelsOnOffer(db, Date.now())).map((model) => model.id);
      return ids.includes(DEMO_MODEL) ? DEMO_MODEL : (ids[0] ?? null);
    },
    close: () => db.close(),
  };
}
