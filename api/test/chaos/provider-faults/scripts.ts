import { Buffer } from 'node:buffer';
import { asObject } from '@tollgate/dialects/json/parse-object';
import { encodeOpenaiStream } from '@tollgate/testing/fake-provider/encode-openai';
import { generateAnswer } from '@tollgate/testing/fake-provider/generate-answer';
import type { Script, ScriptWriter } from '@tollgate/testing/fake-provider/script';

const WORDS = 60;
/** One event precedes the words. */
const MALFORMED_AFTER_PIECES = 11;
const DONE = 'data: [DONE]';

/** The complete response of both providers. */
export const GOOD: Script = { answer: { words: WORDS } };
/** After 40 of 60 words. */
export const CUT: Script = { cutAfterPieces: 41 };
/** After 20 of 60 words. */
export const STALL_AFTER_PIECES = 21;

/** Its text. */
export const COMPLETE_TEXT = Array.from({ length: WORDS }, (_, index) => `word${index + 1}`).join(' ');

export function refuse(code: string, message: string): Script {
  const error = { message, type: 'invalid_request_error', param: 'messages', code };
  return { replay: { status: 400, contentType: 'application/json', body: JSON.stringify({ error }) } };
}

export function withoutDone(intervalMs: number): ScriptWriter {
  return changeEvents(intervalMs, (events) => events.filter((event) => !event.startsWith(DONE)));
}

/** With an event whose JSON breaks off, and that is not a part of the response. */
export function withMalformedEvent(intervalMs: number): ScriptWriter {
  const malformed = 'data: {"object":"chat.completion.chunk","choices":[{"delta":{"content": \n\n';
  return changeEvents(intervalMs, (events) => events.toSpliced(MALFORMED_AFTER_PIECES, 0, malformed));
}

/** A model that continues the message of the assistant that ends a conversation, or refuses such a conversation. */
export function createFallback(refusesPrefill: boolean, intervalMs: number): ScriptWriter {
  return ({ messages }) => {
    const { role, content } = asObject(messages.at(-1)) ?? {};
    if (role !== 'assistant' || typeof content !== 'string') return { ...GOOD, intervalMs };
    if (refusesPrefill)
      return refuse('invalid_prefill', 'This model does not support prefill of an assistant message.');
    const isPrefix = COMPLETE_TEXT.startsWith(content);
    return isPrefix
      ? { answer: { text: COMPLETE_TEXT.slice(content.length) }, intervalMs }
      : { ...GOOD, intervalMs };
  };
}

function changeEvents(intervalMs: number, change: (events: string[]) => string[]): ScriptWriter {
  return (request) => {
    const chunks = encodeOpenaiStream(generateAnswer(request, { words: WORDS }), request.includesUsage);
    const events = change(chunks.map(({ bytes }) => bytes.toString('utf8')));
    return { replay: { body: Buffer.from(events.join('')) }, intervalMs };
  };
}
