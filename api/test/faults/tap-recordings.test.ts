import { anthropicStreamRules } from '@tollgate/dialects/anthropic-messages/stream-rules';
import { createOpenAiStreamRules } from '@tollgate/dialects/openai-chat/stream-rules';
import { getText } from '@tollgate/dialects/stream-tap.fixture';
import { StreamTap } from '@tollgate/dialects/stream-tap';
import { splitAtEvents, splitBody } from '@tollgate/testing/fake-provider/split-body';
import { loadRecordings, type RecordedCase } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { asksForUsage, expectedStream } from './expected-stream.ts';

const streams = loadRecordings().cases.filter((found) => found.isStream);
/** The work of cutting a stream in two at every byte is quadratic, so larger ones are cut at fewer places. */
const MAX_CUT_BYTES = Number(process.env.TAP_CUT_BYTES ?? 3_000_000);

function createTap(recorded: RecordedCase, largeBytes?: number): StreamTap {
  const rules =
    recorded.dialect === 'anthropic-messages'
      ? anthropicStreamRules
      : createOpenAiStreamRules(asksForUsage(recorded.request?.json));
  return new StreamTap(rules, undefined, largeBytes === undefined ? {} : { largeBytes });
}

function relay(recorded: RecordedCase, pieces: readonly Buffer[], largeBytes?: number) {
  const tap = createTap(recorded, largeBytes);
  const out = pieces.map((piece) => getText(tap.push(piece)));
  const { rest, isClean } = tap.finish();
  const { served, sawError, terminated, outputTokens } = tap;
  const seen = { served, sawError, terminated, outputTokens, usage: tap.report?.usage, isClean };
  return { bytes: Buffer.from(out.join('') + getText(rest), 'latin1'), seen };
}

describe.each(streams)('$name', (recorded) => {
  const expected = expectedStream(recorded, asksForUsage(recorded.request?.json));
  const whole = relay(recorded, [recorded.responseBody]);

  it('passes the tap unchanged and ends cleanly', () => {
    expect(whole.bytes.toString()).toBe(expected.toString());
    expect(whole.seen.isClean).toBe(true);
  });

  it.each(['every-byte', 7, [1, 100, 3]] as const)('is the same split by %s', (split) => {
    const seen = relay(recorded, splitBody([recorded.responseBody], split));
    expect(seen.bytes.equals(expected)).toBe(true);
    expect(seen.seen).toEqual(whole.seen);
  });

  it.each([1, 50, 300])('is the same if events of more than %i bytes count as large', (largeBytes) => {
    for (const split of ['every-byte', 7, [1, 100, 3]] as const) {
      const seen = relay(recorded, splitBody([recorded.responseBody], split), largeBytes);
      expect(seen.bytes.equals(expected)).toBe(true);
      expect(seen.seen).toEqual(whole.seen);
    }
  });

  it('is the same cut in two at any byte', () => {
    const body = recorded.responseBody;
    const step = Math.ceil(body.length ** 2 / MAX_CUT_BYTES);
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
    expect(cuts.filter((cut) => relay(recorded, [cut]).seen.isClean)).toEqual([]);
  });
});
