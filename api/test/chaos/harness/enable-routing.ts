import { createSealer } from '@tollgate/auth/seal';
import type { Database } from '@tollgate/db/client';
import { putFallbackModel } from '@tollgate/db/queries/models/fallback-models';
import { changeRoutingPolicy } from '@tollgate/db/queries/models/routing-policy';
import { addCredential } from '@tollgate/db/queries/providers/provider-credentials';
import { credentialContext } from '@tollgate/upstreams/credential/credential';

/** The least: under load, most streams start a second route. */
const HEDGE_AFTER_MS = 100;
const CREDENTIALS = ['first', 'second', 'third'];

export interface Routed {
  models: readonly string[];
  /** The key that the credentials are encrypted with. */
  encryptionKey: string;
}

/** Gives every model a strategy, hedging, continuation and fallback models, and every provider three credentials. */
export async function enableRouting(db: Database, { models, encryptionKey }: Routed): Promise<void> {
  for (const modelId of models) {
    const policy = {
      strategy: 'lowest-latency',
      hedgeAfterMs: HEDGE_AFTER_MS,
      continueStreams: true,
      contentPolicyFailover: true,
    } as const;
    if ((await changeRoutingPolicy(db, { modelId, policy, actorUserId: null })) === null)
      throw new Error(`The model ${modelId} does not exist`);
    for (const fallbackId of models) {
      if (fallbackId === modelId) continue;
      const classes = ['failure', 'overload', 'context', 'policy'] as const;
      await putFallbackModel(db, { modelId, fallbackId, classes, actorUserId: null });
    }
  }
  const sealer = createSealer(encryptionKey);
  const providers = await db.sql<{ id: string }[]>`SELECT id FROM providers`;
  for (const { id: providerId } of providers) {
    const seal = (label: string) => {
      const credential = { kind: 'api-key', apiKey: `key-of-the-${label}-credential`, headers: {} };
      return sealer.seal(JSON.stringify(credential), credentialContext(providerId));
    };
    const [first = '', ...others] = CREDENTIALS;
    await db.sql`UPDATE providers SET credential_sealed = ${seal(first)} WHERE id = ${providerId}`;
    for (const label of others) {
      const added = { providerId, label, weight: 1, credentialSealed: seal(label), actorUserId: null };
      if (!(await addCredential(db, added)).ok) throw new Error(`The credential ${label} was not added`);
    }
  }
}
