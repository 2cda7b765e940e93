import type { Buffer } from 'node:buffer';
import { createKeyPattern, type StreamRules } from '../stream-tap.ts';
import { TOOL_ITEM_TYPES } from '../usage/tool-tally.ts';
import { decodeOpenAiResponsesUsage } from './decode-usage.ts';

/**
 * The first bytes of the event that ends a stream: its name, or its data where the provider leaves names out. Some send the
 * `[DONE]` of chat completions behind it.
 */
const TERMINATOR =
  /^(?:(?:event: ?|data: ?\{"type": ?")response\.(?:completed|incomplete|failed)\b|data: ?\[DONE\])/;
const HEAD_BYTES = 64;
const BLANK_LINES = ['\n\n', '\n\r\n'];
const KEYS = createKeyPattern(['usage', 'error', ...TOOL_ITEM_TYPES], ['delta'], ['logprobs']);

/** The rules of a response stream (https://platform.openai.com/docs/api-reference/responses-streaming). */
export const openAiResponsesStreamRules: StreamRules = {
  keys: KEYS,
  readEvent(event, known) {
    const { type } = event;
    return {
      report: decodeOpenAiResponsesUsage(event, known),
      isFinal: true,
      isError: type === 'error' || type === 'response.failed',
      hide: false,
    };
  },
  isTerminated(block) {
    // The last event holds the whole response: only where it begins is looked at.
    const start = startOfLastEvent(block);
    return TERMINATOR.test(block.toString('latin1', start, start + HEAD_BYTES));
  },
  endsWell: () => false,
};

/** @param block whole events */
function startOfLastEvent(block: Buffer): number {
  let start = 0;
  for (const blank of BLANK_LINES) {
    // The last four bytes can be of the blank line that ends the event.
    const at = block.lastIndexOf(blank, Math.max(0, block.length - 5));
    if (at >= 0) start = Math.max(start, at + blank.length);
  }
  return start;
}
