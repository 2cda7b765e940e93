import type { KeyScope } from '@tollgate/core/keys/key-scope';
import { parseUsd } from '@tollgate/core/money/money';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { startTestApi, type TestApi, type TestApiOptions } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';
import { startNativeProvider } from '../native-provider.ts';
import type { ResponsesProvider } from '../sdk/responses-provider.ts';
import { openSocket, type SocketClient } from './socket-client.ts';

export { MODEL as TRANSLATED };

interface Account {
  accountId: string;
  keyId: string;
  secret: string;
}

export interface SocketHarness extends Harness {
  native: ResponsesProvider;
  api: TestApi;
  /** A prepaid account with a key. */
  openAccount(usd?: string, scope?: Partial<KeyScope>): Promise<Account>;
  open(secret?: string): Promise<SocketClient>;
  /** The settled requests of an account, in order of arrival. */
  readBills(accountId: string): Promise<Bill[]>;
  /** The bodies that the native model's provider got, the newest last. */
  listSent(): JsonObject[];
}

interface Bill {
  status: number;
  error: string | null;
  streamed: boolean;
  cost: bigint;
  output: number;
}

/** The api with a native and a translated model. */
export async function startSocketHarness(
  options: Omit<TestApiOptions, 'db' | 'runtime'> = {},
): Promise<SocketHarness> {
  const harness = await createHarness();
  const { db } = harness.database;
  const native = await startNativeProvider(db);
  const api = await startTestApi({ db, runtime: 'node', ...options });
  return {
    ...harness,
    native,
    api,
    async openAccount(usd = '1000', scope = {}) {
      const { accountId } = await createAccountFixture(db, { planId: 'standard' });
      await creditBalance(db, { accountId, amountNanoUsd: parseUsd(usd) ?? 0n });
      const { secret, key } = await createKeyFixture(db, accountId, scope);
      return { accountId, secret, keyId: key.id };
    },
    open: (secret = harness.secret) => openSocket(api.baseUrl, secret),
    async readBills(accountId) {
      await api.deps.ledger.flush();
      return db.sql<Bill[]>`
        SELECT status, error_code AS error, streamed, cost_nano_usd AS cost, output_tokens AS output FROM requests
        WHERE account_id = ${accountId} AND state = 'settled' ORDER BY started_at, id`;
    },
    listSent: () => native.sent.map((_, index) => ({ ...native.seen[index] })),
    async [Symbol.asyncDispose]() {
      await api.close();
      await native[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
}

export const parseSent = (body: Buffer): JsonObject => parseJsonObject(body.toString()) ?? {};
