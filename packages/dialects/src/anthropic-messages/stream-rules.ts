import { createKeyPattern, type StreamRules } from '../stream-rules.ts';
import { TOOL_BLOCK_TYPES } from '../usage/tool-tally.ts';
import { decodeAnthropicUsage } from './decode-usage.ts';

/** By its name, or by its data if the provider leaves names out. */
const TERMINATOR = /(?:^|\n)(?:event: ?message_stop\r?\n|data: ?\{\s*"type"\s*:\s*"message_stop"\s*[,}])/;
const STOP = 'message_stop';
const KEYS = createKeyPattern(
  ['usage', 'error', ...TOOL_BLOCK_TYPES],
  ['text', 'thinking', 'partial_json'],
  // Results of tools that the provider ran; a string is the summary of a compaction.
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
