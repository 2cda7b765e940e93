import { setTimeout as sleep } from 'node:timers/promises';
import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { findMarker } from '@tollgate/testing/fake-provider/metered-model';
import type { Script, ScriptWriter } from '@tollgate/testing/fake-provider/script';
import type { ServedRequest } from '@tollgate/testing/fake-provider/served-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type Answer } from './harness/ask.ts';
import {
  findViolationsInBooks,
  readLedgerSnapshot,
  untilReleased,
  type BookRow,
} from './harness/ledger-snapshot.ts';
import { openLedgerHarness } from './harness/create-cluster.ts';
import { responsesReply, RESPONSES_OPENING_EVENTS } from './harness/responses-reply.ts';
import {
  METERED_PRICES,
  getModel,
  PROVIDER_DIALECTS,
  type Payer,
  type ProviderDialect,
} from './harness/scene.ts';
import { TESTED_ENDPOINTS, type TestedEndpoint } from '../tested-endpoints.ts';

const WORDS = 12;
const MAX_TOKENS = 300;
/** Words sent before the middle. */
const MIDDLE = 6;
const USAGE = { ...NO_USAGE, inputTokens: 11, outputTokens: WORDS };
/** After this silence, everything the provider sent has arrived. */
const SILENT_MS = 400;
const LOOK_EVERY_MS = 25;
const PATIENCE_MS = 15_000;

/** When the client disconnects, by the provider's progress; the provider stops there and stays silent. */
const MOMENTS = ['before headers', 'first chunk', 'middle', 'before terminator'] as const;
type Moment = (typeof MOMENTS)[number];

/** Pieces of a stream before the first word. */
const OPENING_PIECES: Record<ProviderDialect, number> = {
  'openai-chat': 1,
  'anthropic-messages': 3,
  'openai-responses': RESPONSES_OPENING_EVENTS,
};

interface Case {
  name: string;
  marker: string;
  endpoint: TestedEndpoint;
  provider: ProviderDialect;
  stream: boolean;
  moment: Moment;
}

const CASES: Case[] = TESTED_ENDPOINTS.flatMap((endpoint) =>
  PROVIDER_DIALECTS.flatMap((provider) =>
    [true, false].flatMap((stream) =>
      MOMENTS.map((moment, index) => ({
        name: `${stream ? 'a stream' : 'a response'} of ${endpoint.dialect} from ${provider}, left ${moment}`,
        marker: `${endpoint.dialect}.${provider}.${stream ? 'stream' : 'whole'}.${index}`,
        endpoint,
        provider,
        stream,
        moment,
      })),
    ),
  ),
);

const harness = await openLedgerHarness(1);
const { scene } = harness;
afterAll(() => harness[Symbol.asyncDispose]());

interface Outcome {
  answer: Answer;
  record: ServedRequest;
  rows: BookRow[];
}

const outcomes = new Map<string, Outcome>();
let releasedMs = 0;

beforeAll(async () => {
  for (const dialect of PROVIDER_DIALECTS)
    scene.provider.always(getScript(dialect), { model: getModel(dialect) });
  const payers = await scene.createPayers({
    keys: CASES.length,
    creditNanoUsd: 100_000_000_000n,
    scope: { maxBudgetUsd: '1.00' },
  });
  const left = await Promise.all(
    CASES.map(async (each, index) => {
      const payer = payers[index];
      if (payer === undefined) throw new Error('There is no payer');
      return { each, payer, ...(await leave(each, payer)) };
    }),
  );
  releasedMs = await untilReleased(scene.db, PATIENCE_MS);
  const books = await readLedgerSnapshot(scene.db, payers);
  for (const { each, payer, answer, record } of left)
    outcomes.set(each.marker, { answer, record, rows: books.filter(({ keyId }) => keyId === payer.keyId) });
}, 60_000);

describe('a client that disconnects', () => {
  it.each(CASES)('$name', ({ marker, stream, moment, provider }) => {
    const { answer, record, rows } = getOutcome(marker);
    expect(answer.ending).toBe('left');
    // The provider call was cancelled.
    expect(record.outcome).toBe('aborted');
    expect(rows).toHaveLength(1);
    const [row] = rows;
    expect(row).toMatchObject({ state: 'settled', status: 499 });
    const billed = row?.cost ?? -1n;
    expect(billed <= (row?.held ?? 0n)).toBe(true);
    // The provider had not started to respond: its input is billed, and what it may have written.
    if (moment === 'before headers') {
      expect(billed).toBeGreaterThan(0n);
      expect(row?.estimated).toBe(true);
      expect(row?.outputTokens).toBeLessThanOrEqual(MAX_TOKENS);
      return;
    }
    if (stream) expect(answer.body).toContain(wordAt(moment));
    if (moment === 'before terminator' && (!stream || provider !== 'openai-responses')) {
      // The whole usage was reported, although the stream had not ended.
      expect(billed).toBe(computeCost(USAGE, METERED_PRICES));
      return;
    }
    const words = moment === 'first chunk' ? 1 : moment === 'middle' ? MIDDLE : WORDS;
    expect(row?.estimated).toBe(true);
    expect(row?.outputTokens).toBeGreaterThanOrEqual(stream ? words : 1);
    // Output that may have been written unseen counts too, up to the request's maximum.
    expect(row?.outputTokens).toBeLessThanOrEqual(MAX_TOKENS);
    expect(row?.inputTokens).toBeGreaterThan(0);
  });

  it('leaves a consistent ledger', async () => {
    const rows = [...outcomes.values()].flatMap((outcome) => outcome.rows);
    const exact = rows.filter(({ cost }) => cost === computeCost(USAGE, METERED_PRICES)).length;
    const free = rows.filter(({ cost }) => cost === 0n).length;
    process.stdout.write(
      `Disconnects: ${CASES.length} cases, ${rows.length} rows; ${free} free, ${exact} as reported, ` +
        `${rows.length - free - exact} estimated; nothing held after ${releasedMs.toFixed(0)} ms\n`,
    );
    expect(await findViolationsInBooks(scene.db)).toEqual([]);
  });
});

/** The last word that a client receives of a stream before that moment. */
function wordAt(moment: Moment): string {
  return `word${moment === 'first chunk' ? 1 : moment === 'middle' ? MIDDLE : WORDS}`;
}

function getOutcome(marker: string): Outcome {
  const outcome = outcomes.get(marker);
  if (outcome === undefined) throw new Error(`There is no outcome for ${marker}`);
  return outcome;
}

/** Sends a request, waits until the provider has reached that moment, and disconnects. */
async function leave(each: Case, payer: Payer): Promise<{ answer: Answer; record: ServedRequest }> {
  const [api] = harness.fleet.apis;
  const leaving = new AbortController();
  const { endpoint, marker, stream, moment } = each;
  const expected = stream && moment !== 'before headers' ? wordAt(moment) : null;
  const heard = Promise.withResolvers<void>();
  if (expected === null) heard.resolve();
  const asked = ask(
    {
      baseUrl: api?.baseUrl ?? '',
      secret: payer.secret,
      endpoint,
      model: getModel(each.provider),
      marker,
      stream,
      maxTokens: MAX_TOKENS,
      leave: leaving.signal,
      onData: (received) => {
        if (expected !== null && received.includes(expected)) heard.resolve();
      },
    },
    harness.agent,
  );
  await Promise.race([heard.promise, sleep(PATIENCE_MS)]);
  const record = await untilSilent(each);
  leaving.abort();
  const answer = await asked;
  await Promise.race([record.finished, sleep(PATIENCE_MS)]);
  return { answer, record };
}

async function untilSilent({ marker, moment }: Case): Promise<ServedRequest> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  let heard = 0;
  let heardAtMs = performance.now();
  for (;;) {
    const record = scene.provider.requests.find(({ body }) => findMarker(body) === marker);
    const nowMs = performance.now();
    if (record !== undefined && record.bytesSent !== heard) {
      heard = record.bytesSent;
      heardAtMs = nowMs;
    }
    const hasSpoken = record !== undefined && (moment === 'before headers' || heard > 0);
    if (hasSpoken && nowMs - Math.max(heardAtMs, record.receivedAtMs) > SILENT_MS) return record;
    if (nowMs > deadlineMs) throw new Error(`The provider did not respond to ${marker}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Stops at the moment whose number is in the request's marker. */
function getScript(dialect: ProviderDialect): ScriptWriter {
  return ({ body, isStream, model }) => {
    const marker = findMarker(Buffer.from(JSON.stringify(body))) ?? '';
    const moment = MOMENTS[Number(marker.split('.').at(-1))];
    if (moment === undefined) throw new Error(`The request has no moment: ${marker}`);
    const answer: Script =
      dialect === 'openai-responses'
        ? { replay: responsesReply({ model: model ?? '', words: WORDS, usage: USAGE, isStream }) }
        : { answer: { words: WORDS, usage: USAGE } };
    return { ...answer, ...(isStream ? stallStream(moment, dialect) : stallBody(moment)) };
  };
}

function stallStream(moment: Moment, dialect: ProviderDialect): Script {
  switch (moment) {
    case 'before headers':
      return { stallBeforeHeaders: true };
    case 'first chunk':
      return { stallAfterPieces: OPENING_PIECES[dialect] + 1 };
    case 'middle':
      return { stallAfterPieces: OPENING_PIECES[dialect] + MIDDLE };
    case 'before terminator':
      return { stallAfterPieces: -1 };
  }
}

function stallBody(moment: Moment): Script {
  switch (moment) {
    case 'before headers':
      return { stallBeforeHeaders: true };
    case 'first chunk':
      return { stallAfterBytes: 1 };
    case 'middle':
      return { stallAfterBytes: 150 };
    case 'before terminator':
      return { stallAfterBytes: -1 };
  }
}
