import { mintApiKey } from '@tollgate/auth/api-key';
import { createId } from '@tollgate/core/runtime/ids';
import type { NanoUsd } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { encodeScope } from '@tollgate/db/queries/keys/scope-columns';
import type { ModelPrice } from '@tollgate/db/queries/models/model-prices';
import {
  recordSeed,
  rollUpRequests,
  silenceBudgetAlerts,
  storePastKeys,
  storePastRequests,
  storePastTopUp,
  type PastRequest,
} from '@tollgate/db/queries/usage/past-usage';
import type { Connection } from '@tollgate/db/transaction';
import { drawMonth, getEnd, type MonthRequest, type MonthTerms } from './draw-month.ts';
import { planTopUps } from './plan-top-ups.ts';
import { KEY_PROFILES, type KeyProfile } from './profiles.ts';
import { HOUR_MS } from './rhythm.ts';

const CHUNK_ROWS = 5_000;
const NANO_USD_PER_USD = 1_000_000_000n;

export interface SeedTerms extends MonthTerms {
  account: { id: string; email: string; isPrepaid: boolean; pricePpm: number };
  /** By model ID. */
  prices: ReadonlyMap<string, ModelPrice>;
  onProgress: (line: string) => void;
}

export interface SeededMonth {
  keys: number;
  requests: number;
  costNanoUsd: NanoUsd;
  topUps: number;
  topUpCents: number;
}

/** Stores a synthetic month with all records that the gateway would have written, in the given transaction. */
export async function seedMonth(tx: Connection, terms: SeedTerms): Promise<SeededMonth> {
  const { account, span, onProgress } = terms;
  const spending = sumUp(terms);
  const keyIds = await storeKeys(tx, terms, spending.byKey);
  let stored = 0;
  let chunk: PastRequest[] = [];
  const flush = async () => {
    await storePastRequests(tx, chunk);
    stored += chunk.length;
    chunk = [];
    onProgress(`stored ${stored} of ${terms.requests} requests`);
  };
  for (const request of drawMonth(KEY_PROFILES, terms)) {
    chunk.push(toRow(request, terms, keyIds.get(request.key) ?? ''));
    if (chunk.length === CHUNK_ROWS) await flush();
  }
  if (chunk.length > 0) await flush();
  onProgress('aggregating usage by hour');
  await rollUpRequests(tx, [...keyIds.values()]);
  await silenceBudgetAlerts(tx, [...keyIds.values()]);
  const topUps = account.isPrepaid ? planTopUps(spending.hours) : [];
  for (const { atMs, cents } of topUps)
    await storePastTopUp(tx, {
      accountId: account.id,
      payerEmail: account.email,
      amountCents: cents,
      at: new Date(atMs),
    });
  const since = new Date(span.sinceMs).toISOString();
  await recordSeed(tx, { accountId: account.id, requests: stored, since });
  return {
    keys: keyIds.size,
    requests: stored,
    costNanoUsd: spending.total,
    topUps: topUps.length,
    topUpCents: topUps.reduce((sum, { cents }) => sum + cents, 0),
  };
}

/** Computes the cost of the month in a separate pass, because budgets and payments are stored before requests. */
function sumUp(terms: SeedTerms) {
  const byKey = new Map<KeyProfile, NanoUsd>();
  const byHour = new Map<number, NanoUsd>();
  let total = 0n;
  for (const request of drawMonth(KEY_PROFILES, terms)) {
    const cost = getBill(request, terms);
    const startMs = Math.floor(request.startedAtMs / HOUR_MS) * HOUR_MS;
    byKey.set(request.key, (byKey.get(request.key) ?? 0n) + cost);
    byHour.set(startMs, (byHour.get(startMs) ?? 0n) + cost);
    total += cost;
  }
  const hours = [...byHour].map(([startMs, costNanoUsd]) => ({ startMs, costNanoUsd }));
  return { byKey, hours, total };
}

function getBill({ isForwarded, model, usage }: MonthRequest, { prices, account }: SeedTerms): NanoUsd {
  const price = prices.get(model.id);
  return isForwarded && price !== undefined ? computeCost(usage, price, account.pricePpm) : 0n;
}

async function storeKeys(
  tx: Connection,
  { account, span }: SeedTerms,
  spentByKey: ReadonlyMap<KeyProfile, NanoUsd>,
): Promise<Map<KeyProfile, string>> {
  const keyIds = new Map(KEY_PROFILES.map((key) => [key, createId('key', span.sinceMs)]));
  const rows = [...keyIds].map(([key, id]) => {
    // The secret is discarded.
    const { hash, prefix, last4 } = mintApiKey();
    return {
      id,
      accountId: account.id,
      hash,
      prefix,
      last4,
      ...encodeScope({
        name: key.name,
        allowedModels: null,
        maxBudgetUsd: key.hasBudget ? budgetUsdFor(spentByKey.get(key) ?? 0n) : null,
        rpm: key.rpm,
        tpm: null,
        expiresAt: null,
      }),
      tags: [...key.tags],
      createdAt: new Date(span.sinceMs),
      revokedAt: key.revokedAfter === null ? null : new Date(getEnd(key, span)),
    };
  });
  await storePastKeys(tx, rows);
  return keyIds;
}

/** 10% above the amount spent, in whole dollars. */
function budgetUsdFor(spent: NanoUsd): string {
  return String((spent * 11n) / 10n / NANO_USD_PER_USD + 1n);
}

function toRow(request: MonthRequest, terms: SeedTerms, keyId: string): PastRequest {
  const { key, model, usage, startedAtMs, isForwarded, ...rest } = request;
  const { account, prices, routeId } = terms;
  const costNanoUsd = getBill(request, terms);
  const chargesBalance = isForwarded && account.isPrepaid;
  const isHeld = chargesBalance || (isForwarded && key.hasBudget);
  return {
    ...usage,
    ...rest,
    id: createId('req', startedAtMs),
    startedAt: new Date(startedAtMs),
    accountId: account.id,
    keyId,
    endpoint: model.endpoint,
    model: model.id,
    provider: isForwarded ? model.preset : null,
    upstreamModel: isForwarded ? model.id : null,
    routeId: isForwarded ? routeId : null,
    state: 'settled',
    priceId: isForwarded ? (prices.get(model.id)?.id ?? null) : null,
    pricePpm: account.pricePpm,
    costNanoUsd,
    operatorCostNanoUsd: 0n,
    // Approximates a worst case: the input plus the longest output.
    heldNanoUsd: isHeld ? costNanoUsd * 4n + 1_000n : 0n,
    holdMs: isHeld ? rest.holdMs : null,
    chargesBalance,
    replicaId: null,
    recovered: false,
    rawUsage: null,
    usageExtras: null,
    billedTerms: null,
    servedTerms: null,
    reportedCostNanoUsd: null,
    priceMismatch: null,
    client: key.client,
    sessionHash: null,
    routeChoice: null,
    requestedModel: null,
    ownCredential: false,
    providerRequestId: null,
  };
}
