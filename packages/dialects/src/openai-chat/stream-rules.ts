import type { Buffer } from 'node:buffer';
import { createKeyPattern, type StreamRules } from '../stream-tap.ts';
import { decodeOpenAiUsage } from './decode-usage.ts';

const TERMINATOR = /(^|\n)data: ?\[DONE\]\s*$/;
const TAIL_BYTES = 32;
/** A provider without `[DONE]` ends well where the last chunk gives a reason. */
const FINISH_REASON = /"finish_reason"\s*:\s*"/;
const KEYS = createKeyPattern(
  ['usage', 'error'],
  ['content', 'refusal', 'arguments', 'reasoning_content', 'reasoning'],
);

/**
 * The rules of a chat-completion stream.
 * @param wantsUsage false: the chunk that carries nothing but usage was asked for by the gateway, and is hidden
 */
export function createOpenAiStreamRules(wantsUsage: boolean): StreamRules {
  return {
    keys: KEYS,
    readEvent(event) {
      const usage = decodeOpenAiUsage(event);
      const isError = event['error'] !== undefined && event['error'] !== null;
      const choices = event['choices'];
      const isUsageOnly = usage !== null && Array.isArray(choices) && choices.length === 0;
      return { usage, isError, hide: isUsageOnly && !wantsUsage && !isError };
    },
    isTerminated: (block) => {
      const from = Math.max(0, block.length - TAIL_BYTES);
      // Cheap first: `]` and blanks end a terminator, `}` and blanks end every other event.
      return lastInk(block) === 0x5d && TERMINATOR.test(block.toString('latin1', from));
    },
    endsWell: (lastEvents) => FINISH_REASON.test(lastEvents),
  };
}

/** The last byte that is no blank. */
function lastInk(block: Buffer): number {
  let at = block.length - 1;
  while (at > 0 && (block[at] ?? 0) <= 0x20) at -= 1;
  return block[at] ?? 0;
}
