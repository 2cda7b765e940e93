import { createKeyPattern, findLine, type StreamRules } from '../stream-rules.ts';
import { TOOL_BLOCK_TYPES } from '../usage/tool-tally.ts';
import { decodeAnthropicUsage } from './decode-usage.ts';
import { isMessagesError } from './is-error.ts';
import { writeEvent } from './write-event.ts';

const STOP = 'message_stop';
/** The final event, by its name; `isEnd` finds it by its data if the stream has no names. */
const TERMINATOR = /(?:^|\n)event: ?message_stop\r?\n/;
const KEYS = createKeyPattern(
  ['usage', 'error', STOP, ...TOOL_BLOCK_TYPES],
  // A block may begin with its whole `input`.
  ['text', 'thinking', 'partial_json', 'input'],
  // Results of tools that the provider ran; a string is the summary of a compaction.
  ['content'],
);

/** The rules of a message stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming). */
export const anthropicStreamRules: StreamRules = {
  keys: KEYS,
  mark: /"type"\s*:\s*"(?:message_|content_block_|ping"|error")/g,
  writeError: (message) => writeEvent({ type: 'error', error: { type: 'api_error', message } }),
  readEvent(event, known, name) {
    return {
      report: decodeAnthropicUsage(event, known),
      isFinal: event['type'] === 'message_delta',
      isError: isMessagesError(event, name),
      hide: false,
      isEnd: event['type'] === STOP,
    };
  },
  findTerminator: (events) => (events.includes(STOP) ? findLine(events, TERMINATOR) : -1),
  endsWell: () => false,
  start: /"type"\s*:\s*"(?:(message_start)"|content_block_|message_)/,
  isNamed: true,
};
