import { asObject } from '../json/parse-object.ts';
import { createKeyPattern, findLine, type StreamRules } from '../stream-rules.ts';
import { decodeOpenAiUsage } from './decode-usage.ts';
import { USAGE_MEMBERS } from '../usage/find-usage.ts';
import { encodeStreamError } from './encode-stream-error.ts';
import { isChatError } from './is-error.ts';

const DONE = '[DONE]';
const TERMINATOR = /(?:^|\n)data: ?\[DONE\]\s*(?:\n|$)/;
/** A stream without `[DONE]` ended well if the model gave a finish reason and wrote nothing afterwards. */
const FINISH_REASON = /"finish_reason"\s*:\s*"/;
const KEYS = createKeyPattern(
  [...USAGE_MEMBERS, 'error'],
  // `input` of a custom tool.
  ['content', 'refusal', 'arguments', 'input', 'transcript'],
  // Perplexity repeats the whole answer as `message`; citations and results of tools quote pages.
  ['message', 'annotations', 'search_results', 'executed_tools', 'logprobs'],
  // OpenRouter sends the same reasoning under two names.
  ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking'],
);

/**
 * The rules of a chat-completion stream.
 * @param wantsUsage false: only the gateway requested the chunk that carries nothing but usage, so it is hidden
 */
export function createOpenAiStreamRules(wantsUsage: boolean): StreamRules {
  return {
    keys: KEYS,
    mark: /"choices"\s*:/g,
    writeError: (message) => encodeStreamError({ kind: 'api_error', message, code: null }),
    readEvent(event, known, name) {
      const report = decodeOpenAiUsage(event, known);
      const choices = event['choices'];
      const isError = isChatError(event, name);
      const isUsageOnly = report !== null && Array.isArray(choices) && choices.length === 0;
      const isFinal = isUsageOnly || !Array.isArray(choices) || choices.some(hasFinished);
      return { report, isFinal, isError, hide: isUsageOnly && !wantsUsage && !isError };
    },
    findTerminator: (events) => (events.includes(DONE) ? findLine(events, TERMINATOR) : -1),
    endsWell: (lastEvents) => FINISH_REASON.test(lastEvents),
    terminator: `data: ${DONE}\n\n`,
  };
}

function hasFinished(choice: unknown): boolean {
  return typeof asObject(choice)?.['finish_reason'] === 'string';
}
