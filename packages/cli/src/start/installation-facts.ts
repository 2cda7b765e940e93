import { mintLinkToken } from '@tollgate/auth/one-time-code';
import { openDatabase } from '@tollgate/db/client';
import { listModelsOnOffer } from '@tollgate/db/queries/models/model-list';
import { createOperatorInvite } from '@tollgate/db/queries/users/operator-invite';
import type { Addresses } from './addresses.ts';

const LINK_GOOD_FOR_MS = 24 * 3_600_000;
const DEMO_MODEL = 'tollgate-demo';

export interface InstallationFacts {
  /**
   * Makes the link that turns the first sign-up into the operator's; the one of an earlier start ends.
   * @returns null where the installation has an operator
   */
  makeOperatorLink(): Promise<string | null>;
  /** @returns a model that answers, the demo where it is on offer; null where there is none */
  findModel(): Promise<string | null>;
  close(): Promise<void>;
}

/** What the greeting of `npm start` reads from the database. */
export function openInstallationFacts(databaseUrl: string, addresses: Addresses): InstallationFacts {
  const db = openDatabase(databaseUrl, { maxConnections: 1, applicationName: 'tollgate start' });
  return {
    async makeOperatorLink() {
      const { token, hash: tokenHash } = mintLinkToken();
      const expiresAt = new Date(Date.now() + LINK_GOOD_FOR_MS);
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
