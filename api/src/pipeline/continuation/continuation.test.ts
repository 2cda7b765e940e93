import { describe, expect, it } from 'vitest';
import type { ExecuteContext } from '../execute-context.ts';
import { Continuation } from './continuation.ts';

const LIMIT = 100;

/** A stream whose text has ended, or has not. */
function openContinuation({ tools = [], isOpen = false }: { tools?: object[]; isOpen?: boolean } = {}) {
  const context = {
    outputLimit: LIMIT,
    request: { maxOutputTokens: null },
    translator: { getRequest: () => ({ canonical: { tools } }) },
    key: { accountId: 'acc_1' },
    largeAnswers: { budget: { open: () => ({ grow: () => null, release: () => undefined }) } },
  };
  const continuation = new Continuation(context as unknown as ExecuteContext);
  const { soFar } = continuation;
  soFar.push({ type: 'block_start', choice: 0, block: 0, start: { type: 'text' } });
  soFar.push({ type: 'text_delta', choice: 0, block: 0, text: 'Hello.' });
  if (!isOpen) soFar.push({ type: 'block_end', choice: 0, block: 0 });
  const findReason = (writtenTokens: number) => {
    const [event] = continuation.findEndOfText(writtenTokens) ?? [];
    return event?.type === 'finish' ? event.reason.type : null;
  };
  return { findReason };
}

describe('the reason of a stream that ended after its text', () => {
  it.each([
    [79, 'stop'],
    // The maximum may have ended it.
    [80, null],
    [99, null],
    [100, 'length'],
  ])('of %i tokens, with a maximum of 100: %s', (writtenTokens, reason) => {
    expect(openContinuation().findReason(writtenTokens)).toBe(reason);
  });

  it('is not known inside the text, or if a call of a tool may follow', () => {
    expect(openContinuation({ isOpen: true }).findReason(10)).toBe(null);
    expect(openContinuation({ tools: [{}] }).findReason(10)).toBe(null);
  });
});
