import { anthropicStreamRules } from '@tollgate/dialects/anthropic-messages/stream-rules';
import { createOpenAiStreamRules } from '@tollgate/dialects/openai-chat/stream-rules';
import { StreamTap } from '@tollgate/dialects/stream-tap';
import { splitAtEvents, splitBody } from '@tollgate/testing/fake-provider/split-body';
import { loadRecordings, type RecordedCase } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { asksForUsage, expectedStream } from './expected-stream.ts';

const streams = loadRecordings().cases.filter((found) => found.isStream);
/** Larger streams are cut in two only at some bytes: the work is quadratic. */
const EVERY_CUT_BYTES = 5_000;

function createTap(recorded: RecordedCase): StreamTap {
  if (recorded.dialect === 'anthropic-messages') return new StreamTap(anthropicStreamRules);
  return new StreamTap(createOpenAiStreamRules(asksForUsage(recorded.request?.json)));
}

function relay(recorded: RecordedCase, pieces: readonly Buffer[]) {
  const tap = createTap(recorded);
  const out = pieces.flatMap((piece) => tap.push(piece) ?? []);
  const { rest, isClean } = tap.finish();
  return { bytes: Buffer.from(out.join('') + (rest ?? ''), 'latin1'), usage: tap.report?.usage, isClean };
}

describe.each(streams)('$name', (recorded) => {
  const expected = expectedStream(recorded, asksForUsage(recorded.request?.json));
  const whole = relay(recorded, [recorded.responseBody]);

  it('passes the tap unchanged and ends cleanly', () => {
    expect(whole.bytes.toString()).toBe(expected.toString());
    expect(whole.isClean).toBe(true);
  });

  it.each(['every-byte', 7, [1, 100, 3]] as const)('is the same split by %s', (split) => {
    const seen = relay(recorded, splitBody([recorded.responseBody], split));
    expect(seen.bytes.equals(expected)).toBe(true);
    expect(seen.usage).toEqual(whole.usage);
    expect(seen.isClean).toBe(true);
  });

  it('is the same cut in two at any byte', () => {
    const body = recorded.responseBody;
    const step = body.length <= EVERY_CUT_BYTES ? 1 : 41;
    const changed: number[] = [];
    for (let at = 1; at < body.length; at += step) {
      const seen = relay(recorded, [body.subarray(0, at), body.subarray(at)]);
      if (!seen.bytes.equals(expected)) changed.push(at);
    }
    expect(changed).toEqual([]);
  });

  it('never looks complete if it ends before its end is marked', () => {
    const events = splitAtEvents(recorded.responseBody);
    const ending = events.findIndex((event) =>
      /finish_reason": ?"|message_stop|"error"/.test(event.toString()),
    );
    const cuts = Array.from({ length: Math.max(ending, 0) }, (_, count) =>
      Buffer.concat(events.slice(0, count)),
    );
    expect(cuts.filter((cut) => relay(recorded, [cut]).isClean)).toEqual([]);
  });
});
