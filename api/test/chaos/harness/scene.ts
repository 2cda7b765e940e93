import type { KeyScope } from '@tollgate/core/keys/key-scope';
import type { TokenPrices } from '@tollgate/core/money/money';
import { openDatabase, type Database } from '@tollgate/db/client';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { HAS_ALL_ROUTING } from '@tollgate/testing/ledger-routing';
import { enableRouting } from './enable-routing.ts';

/** The dialects of the scene's providers; each has a separate model, and the first two share one. */
export const PROVIDER_DIALECTS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
export type ProviderDialect = (typeof PROVIDER_DIALECTS)[number];

/** Passthrough on the chat completions and messages endpoints, translated on the responses endpoint. */
export const METERED_MODEL = 'metered-model';

export const METERED_PRICES: TokenPrices = {
  inputNanoUsdPerMtok: 1_000_000_000n,
  outputNanoUsdPerMtok: 5_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

/** Never reached, but every request is counted. */
const UNREACHED_LIMITS = { rpm: 1_000_000, tpm: 1_000_000_000 };

/** Of every process. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

/** For every model: the maximum held if a request names none. */
const MAX_OUTPUT_TOKENS = 2_000;

/** The model served only by the provider of one dialect. */
export function getModel(dialect: ProviderDialect): string {
  return `only-${dialect}`;
}

export interface Payer {
  accountId: string;
  keyId: string;
  secret: string;
}

/** The clients, accounts and providers. */
export interface Scene extends AsyncDisposable {
  db: Database;
  provider: FakeProvider;
  /** Keys of one new account. With a credit they charge its balance, else requests are free. */
  createPayers(options: {
    keys: number;
    creditNanoUsd: bigint | null;
    scope?: Partial<KeyScope>;
  }): Promise<Payer[]>;
}

/** Fills a migrated, empty database; a metered provider serves every model in it. */
export async function setScene(databaseUrl: string): Promise<Scene> {
  const db = openDatabase(databaseUrl, { maxConnections: 2, applicationName: 'ledger harness' });
  const provider = await createFakeProvider({ models: [METERED_MODEL] });
  for (const dialect of PROVIDER_DIALECTS) {
    const ids = dialect === 'openai-responses' ? [getModel(dialect)] : [getModel(dialect), METERED_MODEL];
    await ensureBuiltIn(db, {
      name: `metered-${dialect}`,
      dialect,
      baseUrl: `${provider.origin}/v1`,
      credentialEnv: null,
      preset: null,
      models: ids.map((id) => ({
        id,
        upstreamModel: null,
        facts: { maxOutputTokens: MAX_OUTPUT_TOKENS },
        prices: METERED_PRICES,
      })),
    });
  }
  const models = [METERED_MODEL, ...PROVIDER_DIALECTS.map(getModel)];
  if (HAS_ALL_ROUTING) await enableRouting(db, { models, encryptionKey: ENCRYPTION_KEY });
  return {
    db,
    provider,
    async createPayers({ keys, creditNanoUsd, scope }) {
      const planId = creditNanoUsd === null ? 'internal' : 'standard';
      const { accountId } = await createAccountFixture(db, { planId });
      if (creditNanoUsd !== null) await creditBalance(db, { accountId, amountNanoUsd: creditNanoUsd });
      const payers: Payer[] = [];
      for (let index = 0; index < keys; index++) {
        const { key, secret } = await createKeyFixture(db, accountId, {
          name: `payer ${index}`,
          ...UNREACHED_LIMITS,
          ...scope,
        });
        payers.push({ accountId, keyId: key.id, secret });
      }
      return payers;
    },
    async [Symbol.asyncDispose]() {
      await provider.close();
      await db.close();
    },
  };
}
