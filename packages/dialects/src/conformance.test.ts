import type { CompletionResponse, CompletionUsage } from '@tollgate/core/completion/response';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import {
  describeRecordings,
  loadDialectFixtures,
  loadDialectRecordings,
  type RecordedCase,
} from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { CODECS, type CodecName } from './codecs.fixture.ts';
import { parseJsonObject } from './json/parse-object.ts';
import { decodeWholeStream } from './translated/decode-whole-stream.fixture.ts';

const NAMES = Object.keys(CODECS).filter((name): name is CodecName => name in CODECS);
const recordings = loadDialectRecordings(NAMES);
const fixtures = loadDialectFixtures(NAMES).cases;
const cases = recordings.source === 'fixtures' ? fixtures : [...recordings.cases, ...fixtures];
const answered = cases.filter(({ status }) => status === 200);
const breaksOff = ({ covers }: RecordedCase<CodecName>) => covers.includes('mid-stream-error');

/** Every exchange with every dialect that the provider did not speak. */
const translations = (found: RecordedCase<CodecName>[]) =>
  found.flatMap((each) =>
    NAMES.filter((target) => target !== each.dialect).map((target) => ({ name: each.name, target, each })),
  );

/** As in the gateway: the caller's name of the model, and an estimate if the provider reported no usage. */
const CONTEXT = { requestId: 'req_1', model: 'the-model', nowSeconds: 1_700_000_000 };
const ESTIMATE: CompletionUsage = {
  inputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: null,
  cacheWrite1hTokens: 0,
};

function findWholeProblems(target: CodecName, response: CompletionResponse): string[] {
  const whole = { ...response, usage: response.usage ?? ESTIMATE };
  // Over the wire and back: what JSON leaves out is not there.
  const written: unknown = JSON.parse(JSON.stringify(CODECS[target].encodeResponse(whole, CONTEXT)));
  expect(written).toMatchObject({ model: CONTEXT.model });
  return CODECS[target].checkWhole(written);
}

function findStreamProblems(target: CodecName, each: RecordedCase<CodecName>, wantsUsage: boolean): string[] {
  const events = decodeWholeStream(each.dialect, each.responseBody);
  const isUsageTold = events.some((event) => 'usage' in event && event.usage !== null);
  if (!isUsageTold) events.splice(-1, 0, { type: 'usage', usage: ESTIMATE });
  const encoder = CODECS[target].createStreamEncoder({
    ...CONTEXT,
    estimatedInputTokens: null,
    wantsStreamUsage: wantsUsage,
  });
  const written = events.map((event) => encoder.push(event)).join('');
  return CODECS[target].checkStream(written, { ending: breaksOff(each) ? 'error' : 'whole', wantsUsage });
}

describe(`What the gateway generates conforms to the official SDKs. ${describeRecordings(recordings)}`, () => {
  const wholes = translations(answered.filter(({ isStream }) => !isStream));
  it.each(wholes)('$name as $target', ({ target, each }) => {
    const body = parseJsonObject(each.responseBody.toString());
    const response = CODECS[each.dialect].decodeResponse(body ?? {});
    if (response === null) throw new Error('It cannot be read');
    expect(findWholeProblems(target, response)).toEqual([]);
  });

  const streams = translations(answered.filter(({ isStream }) => isStream));
  it.each(streams)('the stream $name as $target', ({ target, each }) => {
    expect(findStreamProblems(target, each, true)).toEqual([]);
    expect(findStreamProblems(target, each, false)).toEqual([]);
  });

  const unbroken = streams.filter(({ each }) => !breaksOff(each));
  it.each(unbroken)('the stream $name, gathered, as $target', ({ target, each }) => {
    const response = assembleCompletion(decodeWholeStream(each.dialect, each.responseBody));
    expect(findWholeProblems(target, response)).toEqual([]);
  });

  const refusals = translations(cases.filter(({ status }) => status !== 200));
  it.each(refusals)('the error $name as $target', ({ target, each }) => {
    const text = each.responseBody.toString();
    const error = CODECS[each.dialect].decodeError(each.status, parseJsonObject(text) ?? text);
    const written: unknown = JSON.parse(JSON.stringify(CODECS[target].encodeError(error, 'req_1')));
    expect(CODECS[target].checkError(written)).toEqual([]);
    expect(JSON.stringify(written)).toContain(JSON.stringify(error.message).slice(1, -1));
  });
});
