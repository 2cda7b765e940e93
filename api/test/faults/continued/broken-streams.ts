import { Buffer } from 'node:buffer';
import { writeEvent } from '@tollgate/dialects/anthropic-messages/write-event';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { encodeOpenaiStream } from '@tollgate/testing/fake-provider/encode-openai';
import { generateAnswer } from '@tollgate/testing/fake-provider/generate-answer';
import type { ScriptWriter } from '@tollgate/testing/fake-provider/script';

const ERROR = 'data: {"error":{"message":"Overloaded","type":"overloaded_error","code":529}}\n\n';

/** A chat completion with an error event after 8 of 20 words. */
export const failWithEvent: ScriptWriter = (request) => {
  const chunks = encodeOpenaiStream(generateAnswer(request, { words: 20 }), false);
  const events = chunks.slice(0, 9).map(({ bytes }) => bytes.toString('utf8'));
  return { replay: { body: Buffer.from([...events, ERROR].join('')) }, split: 'burst' };
};

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  usage: {
    input_tokens: 9,
    output_tokens: 1,
    cache_creation: null,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  },
};
const start = (index: number, block: JsonObject) =>
  writeEvent({ type: 'content_block_start', index, content_block: block });
const writeDelta = (index: number, delta: JsonObject) =>
  writeEvent({ type: 'content_block_delta', index, delta });

/** A message stream that breaks off inside its reasoning. */
export const REASONING = [
  writeEvent({ type: 'message_start', message }),
  start(0, { type: 'thinking', thinking: '', signature: '' }),
  writeDelta(0, { type: 'thinking_delta', thinking: 'Twenty words.' }),
];

/** What follows, up to some of the text. */
export const SIGNED = [
  writeDelta(0, { type: 'signature_delta', signature: 'c2lnbmVk' }),
  writeEvent({ type: 'content_block_stop', index: 0 }),
  start(1, { type: 'text', text: '' }),
  writeDelta(1, { type: 'text_delta', text: 'word1 word2 word3 word4 word5 word6 word7' }),
];
