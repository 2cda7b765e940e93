import { Buffer } from 'node:buffer';
import { asObject } from '../json/parse-object.ts';
import { createKeyPattern, type StreamRules } from '../stream-tap.ts';
import { decodeAnthropicUsage } from './decode-usage.ts';

const TERMINATOR = /(^|\n)event: ?message_stop\r?\n/;
const STOP = Buffer.from('message_stop');
const TAIL_BYTES = 512;
const KEYS = createKeyPattern(['usage', 'error'], ['text', 'thinking', 'partial_json']);

/** The rules of a message stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming). */
export const anthropicStreamRules: StreamRules = {
  keys: KEYS,
  readEvent(event, known) {
    // message_start carries the input, message_delta the output; each only lays over what it names.
    const carrier = event['type'] === 'message_start' ? asObject(event['message']) : event;
    const usage = asObject(carrier?.['usage']);
    return {
      usage: usage === null ? null : decodeAnthropicUsage(usage, known ?? undefined),
      isError: event['type'] === 'error',
      hide: false,
    };
  },
  isTerminated(block) {
    const tail = block.length > TAIL_BYTES ? block.subarray(-TAIL_BYTES) : block;
    return tail.includes(STOP) && TERMINATOR.test(tail.toString('latin1'));
  },
  endsWell: () => false,
};
