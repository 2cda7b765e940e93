import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { toPlainCallId } from '@tollgate/dialects/call-id';
import type { Split } from '@tollgate/testing/fake-provider/script';
import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../../gateway-fixture.ts';
import { readSent, type Recorded } from './read-sent.ts';
import { createSdkReaders, type SdkReader } from './sdk-readers.ts';

const DIALECTS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
const recordings = loadDialectRecordings(DIALECTS);
/** Largest streams that are sent byte by byte; others in pieces of 1, 7 and 64 bytes in turn, like all. */
const EVERY_BYTE_LIMIT = Number(process.env.REPLAY_EVERY_BYTE ?? 3_000);
const harness = await createHarness([]);
for (const dialect of DIALECTS) {
  await ensureBuiltIn(harness.database.db, {
    name: `corpus-${dialect}`,
    dialect,
    baseUrl: `${harness.provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id: `model-of-${dialect}`, upstreamModel: null, facts: {}, prices: PRICES }],
  });
}
const api = await startTestApi({ db: harness.database.db, runtime: 'node' });
const readers = createSdkReaders({ baseUrl: api.baseUrl, secret: harness.secret });
const counts = { exchanges: recordings.cases.length, readings: 0, cuts: 0, errors: 0 };

afterAll(async () => {
  process.stdout.write(`${describeRecordings(recordings)}. Read by the SDKs: ${JSON.stringify(counts)}\n`);
  await api.close();
  await harness[Symbol.asyncDispose]();
});

interface Reading {
  name: string;
  endpoint: SdkReader['dialect'];
  reader: SdkReader;
  recorded: Recorded;
}

/**
 * Responses in the endpoint's own dialect are passed through: only those of the SDK's vendor are read, without those recorded
 * through another gateway or with legacy function calls, which the SDK returns under old names.
 */
const isOfficial = ({ name }: Recorded) =>
  /^(?:openai|anthropic)\//.test(name) && !/via-gateway|functions-legacy/.test(name);

function getReadings(cases: readonly Recorded[]): Reading[] {
  return cases.flatMap((recorded) =>
    readers
      .filter((reader) => reader.dialect !== recorded.dialect || isOfficial(recorded))
      .map((reader) => ({ name: recorded.name, endpoint: reader.dialect, reader, recorded })),
  );
}

function play(recorded: Recorded, split: Split): void {
  harness.provider.reset();
  const contentType =
    recorded.responseHeaders['content-type'] ??
    (recorded.isStream ? 'text/event-stream' : 'application/json');
  harness.provider.always({
    split,
    replay: { body: recorded.responseBody, status: recorded.status, contentType },
  });
}

async function readThrough({ reader, recorded }: Reading, split: Split) {
  play(recorded, split);
  counts.readings += 1;
  return reader.read(`model-of-${recorded.dialect}`, recorded.isStream);
}

const breaksOff = ({ covers }: Recorded) => covers.includes('mid-stream-error');
const answered = recordings.cases.filter((each) => each.status === 200 && !breaksOff(each));

/** It reports 15 tokens for 550 bytes of reasoning and text, so the gateway estimates. */
const UNDER_REPORTED = ['ollama/chat-json-schema-reasoning'];
/** Refusals about the operator's account whose status is not 401 or 403. */
const ACCOUNT_TROUBLE = /insufficient_quota|Incorrect API key/;

describe('a provider response, read by the SDK of another endpoint', () => {
  it.each(getReadings(answered))(
    '$name as $endpoint',
    async (reading) => {
      const { reader, recorded } = reading;
      const sent = readSent(recorded);
      const splits: Split[] = ['natural'];
      if (recorded.isStream) splits.push('burst', [1, 7, 64]);
      if (recorded.isStream && recorded.responseBody.length <= EVERY_BYTE_LIMIT) splits.push('every-byte');
      for (const split of splits) {
        const parsed = await readThrough(reading, split);
        counts.cuts += 1;
        expect(parsed.text).toBe(sent.text);
        expect(parsed.stop).toBe(reader.getStop(sent.stop, sent.hasRefusalText));
        expect(parsed.calls).toHaveLength(sent.calls.length);
        // The Messages API takes fewer characters in ids.
        const getId = reader.dialect === 'anthropic-messages' ? toPlainCallId : (id: string) => id;
        for (const [index, call] of sent.calls.entries()) {
          expect(parsed.calls[index]).toMatchObject({
            name: call.name,
            id: call.id === '' ? expect.stringMatching(/./) : getId(call.id),
          });
          if (typeof call.input !== 'string') expect(parsed.calls[index]?.input).toEqual(call.input);
        }
        if (UNDER_REPORTED.includes(recorded.name)) expect(parsed.usage?.output).toBeGreaterThan(0);
        else if (sent.usage !== null) expect(parsed.usage).toEqual(sent.usage);
        // Unreported usage is estimated in a response that the gateway writes.
        else if (reader.dialect !== recorded.dialect) expect(parsed.usage?.output).toBeGreaterThan(0);
      }
    },
    60_000,
  );
});

describe('a provider refusal, thrown by the SDK of another endpoint', () => {
  const refused = recordings.cases.filter(({ status }) => status !== 200);

  it.each(getReadings(refused))('$name as $endpoint', async (reading) => {
    const { reader, recorded } = reading;
    const error: unknown = await readThrough(reading, 'natural').catch((caught: unknown) => caught);
    counts.errors += 1;
    // A refusal of the gateway's own credential is not relayed to the caller.
    const isCredential =
      recorded.status === 401 ||
      recorded.status === 403 ||
      ACCOUNT_TROUBLE.test(String(recorded.responseBody));
    const isOverload = recorded.status === 503 || recorded.status === 529;
    const overload = reader.dialect === 'anthropic-messages' ? 529 : 503;
    const translated = isOverload && reader.dialect !== recorded.dialect ? overload : recorded.status;
    const status = isCredential ? 502 : translated;
    expect(error).toBeInstanceOf(reader.errorClass(status));
    expect(error).toMatchObject({ status });
  });

  it.each(getReadings(recordings.cases.filter(breaksOff)))(
    '$name, within the stream, as $endpoint',
    async (reading) => {
      for (const split of ['natural', 'burst', 'every-byte'] as const) {
        const error: unknown = await readThrough(reading, split).catch((caught: unknown) => caught);
        counts.errors += 1;
        expect(error).toBeInstanceOf(reading.reader.anyError);
        expect(String(error)).toMatch(/\w{3}/);
      }
    },
  );
});
