import { createKeyPattern, type StreamRules } from '../stream-tap.ts';
import { TOOL_ITEM_TYPES } from '../usage/tool-tally.ts';
import { decodeOpenAiResponsesUsage } from './decode-usage.ts';

/** The event that ends a stream, by its name, or by its data if the provider leaves names out. Some add a `[DONE]`. */
const TERMINATOR =
  /(?:^|\n)(?:(?:event: ?|data: ?\{"type": ?")response\.(?:completed|incomplete|failed)\b|data: ?\[DONE\])/;
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
  isTerminated: (events) => TERMINATOR.test(events),
  endsWell: () => false,
};
