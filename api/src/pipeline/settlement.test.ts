import type { StoredCode } from '@tollgate/core/errors/errors';
import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import { NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { ExpectedOutput } from '@tollgate/limits/expected-output';
import { OutputSpeeds } from '@tollgate/limits/output-speed';
import { expect, it } from 'vitest';
import type { Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import { Settlement } from './settlement.ts';

const MODEL = 'm';
const PRICE: Price = {
  id: 1,
  effectiveFromMs: 0,
  inputNanoUsdPerMtok: 1_000_000_000n,
  outputNanoUsdPerMtok: 5_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};
const ROUTE: Route = {
  id: 'route_a',
  routeId: 'route_a',
  credential: null,
  byCredential: null,
  isOneOfSeveral: false,
  isOwn: false,
  provider: { kind: 'demo', name: 'p' },
  upstreamModel: MODEL,
  servedNames: [],
  contextTokens: null,
  costPpm: 1_000_000,
  priority: 0,
  weight: 1,
  ends: [{ dialect: 'openai-chat', address: null, headers: [], contract: BASE_CONTRACTS.chat }],
  countTokens: null,
  inputTokens: null,
  embeddings: null,
};
const usage = (outputTokens: number): TokenUsage => ({ ...NO_USAGE, outputTokens });
const ANSWERED = { status: 200, errorCode: null };

/** A request that was sent to a provider, with what is written to the ledger about it. */
function openSettlement(expected = new ExpectedOutput()) {
  const records: RequestRecord[] = [];
  const keep = (record: Omit<RequestRecord, 'isHeld' | 'recovered'>) => {
    const kept = { ...record, isHeld: true, recovered: false };
    records.push(kept);
    return kept;
  };
  const settlement = new Settlement({
    exchange: {
      requestId: 'req_a',
      startedAtMs: Date.now(),
      header: (name) => (name === 'user-agent' ? 'codex_exec/0.171.0 (Debian 12; x86_64) tmux' : null),
    },
    key: {
      id: 'key_a',
      accountId: 'acct_a',
      plan: { pricePpm: 1_000_000, ownCredentialPpm: 0, countsCacheReads: null },
    },
    endpoint: '/v1/chat/completions',
    ledger: { settle: keep, checkpoint: keep, whenKept: (_, callback) => callback() },
    limits: { trueUp: () => undefined },
    expected,
    catalogue: { current: new Map() },
    outputSpeeds: new OutputSpeeds(),
    log: { warn: () => undefined },
  });
  settlement.noteRequest(MODEL, true);
  settlement.noteRoute(ROUTE, PRICE);
  return { settlement, records };
}

it('a response that ends after its caller disconnected is recorded as not delivered, and billed', () => {
  const { settlement, records } = openSettlement();
  settlement.noteGone();
  settlement.settle({ ...ANSWERED, usage: usage(10) });
  expect(records).toMatchObject([{ status: 499, errorCode: 'client_gone', costNanoUsd: 50_000n }]);
});

it('a settlement names the family and version of the client, without the rest of its user agent', () => {
  const { settlement, records } = openSettlement();
  settlement.settle({ ...ANSWERED, usage: usage(1) });
  expect(records).toMatchObject([{ client: 'codex_exec 0.171.0' }]);
});

it('a response with usage that has no price does not exceed its hold before its known usage does', () => {
  const { settlement, records } = openSettlement();
  settlement.noteGranted(100_000n);
  const unpriced = { ...usage(10), extras: { toolCalls: { code_execution: 1 } } };
  expect(settlement.exceedsHold(unpriced)).toBe(false);
  expect(settlement.exceedsHold(usage(19))).toBe(false);
  expect(settlement.exceedsHold(usage(20))).toBe(true);
  // Its bill is the whole hold.
  settlement.settle({ ...ANSWERED, usage: unpriced });
  expect(records).toMatchObject([{ costNanoUsd: 100_000n, priceMismatch: 'tool_calls code_execution' }]);
});

it.each<[string, StoredCode | null, number]>([
  ['in full', null, 300],
  ['in part', 'upstream_error', 1_024],
])('the length of a response that was answered %s counts for later requests: %s', (_, errorCode, tokens) => {
  const expected = new ExpectedOutput();
  for (let at = 0; at < 20; at += 1)
    openSettlement(expected).settlement.settle({ status: 200, errorCode, usage: usage(300) });
  expect(expected.expectedOutputTokens(MODEL, null)).toBe(tokens);
});
