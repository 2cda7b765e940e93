import type { Dialect } from './cell.ts';
import { encodeChat } from './encode-chat.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeResponses } from './encode-responses.ts';
import type { Encoded } from './encoded.ts';
import type { Said } from './said.ts';

const ENCODERS: Record<Dialect, (said: Said) => Encoded> = {
  'openai-chat': encodeChat,
  'anthropic-messages': encodeMessages,
  'openai-responses': encodeResponses,
};

export function encode(dialect: Dialect, said: Said): Encoded {
  return ENCODERS[dialect](said);
}
