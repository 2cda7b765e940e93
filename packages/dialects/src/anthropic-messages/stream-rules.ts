import { createKeyPattern, type StreamRules } from '../stream-tap.ts';
import { TOOL_BLOCK_TYPES } from '../usage/tool-tally.ts';
import { decodeAnthropicUsage } from './decode-usage.ts';

const TERMINATOR = /(^|\n)event: ?message_stop\r?\n/;
const STOP = 'message_stop';
const KEYS = createKeyPattern(
  ['usage', 'error', ...TOOL_BLOCK_TYPES],
  ['text', 'thinking', 'partial_json'],
  // Results of tools that the provider ran.
  ['content'],
);

/** The rules of a message stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming). */
export const anthropicStreamRules: StreamRules = {
  keys: KEYS,
  readEvent(event, known) {
    return {
      report: decodeAnthropicUsage(event, known),
      isFinal: event['type'] === 'message_delta',
      isError: event['type'] === 'error',
      hide: false,
    };
  },
  isTerminated: (events) => events.includes(STOP) && TERMINATOR.test(events),
  endsWell: () => false,
};
