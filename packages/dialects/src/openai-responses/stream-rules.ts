import { getLabel } from '../json/get-label.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { createKeyPattern, findLine, type EventFacts, type StreamRules } from '../stream-rules.ts';
import { TOOL_ITEM_TYPES } from '../usage/tool-tally.ts';
import { decodeOpenAiResponsesUsage } from './decode-usage.ts';
import { encodeStreamErrorEvent } from './encode-stream-error.ts';
import { isResponsesError } from './is-error.ts';

/**
 * The final event, by its name; `isEnd` finds it by its data if the stream has no names. A `[DONE]`, which some providers
 * add, is ignored.
 */
const TERMINATOR = /(?:^|\n)event: ?response\.(?:completed|incomplete|failed)\r?\n/;
const ENDS = ['response.completed', 'response.incomplete', 'response.failed'];
/** Items are repeated as a whole, and are all that some providers send. */
const KEYS = createKeyPattern(
  [
    'usage',
    'error',
    'item',
    'output',
    String.raw`response\.(?:completed|incomplete|failed)`,
    ...TOOL_ITEM_TYPES,
  ],
  [],
  ['logprobs'],
  ['delta'],
);

/** The rules of a response stream (https://platform.openai.com/docs/api-reference/responses-streaming). */
export const openAiResponsesStreamRules: StreamRules = {
  keys: KEYS,
  hasTopText: true,
  afterError: 'response.failed',
  mark: /"type"\s*:\s*"(?:response\.|error")/g,
  writeError(message) {
    // The event type requires a number; earlier events were relayed without counting.
    const error = encodeStreamErrorEvent({ kind: 'api_error', message, code: null });
    const event = { type: 'error', sequence_number: 0, ...error };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
  },
  readEvent(event, known, name) {
    const report = decodeOpenAiResponsesUsage(event, known);
    const isEnd = ENDS.includes(getLabel(event['type']));
    return {
      report,
      isFinal: true,
      isError: isResponsesError(event, name),
      hide: false,
      isEnd,
      ...writtenItems(event, isEnd && report?.hasOutput !== true),
    };
  },
  findTerminator: (events) => findLine(events, TERMINATOR),
  endsWell: () => false,
};

/** @param readsAll true: all of the response is measured, as its usage is missing */
function writtenItems({ type, item, response }: JsonObject, readsAll: boolean): Pick<EventFacts, 'items'> {
  if (type === 'response.output_item.done') return { items: { from: 'item', output: [item] } };
  const output = readsAll ? asObject(response)?.['output'] : undefined;
  return Array.isArray(output) ? { items: { from: 'response', output } } : {};
}
