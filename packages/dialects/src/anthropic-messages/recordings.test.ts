import type { Buffer } from 'node:buffer';
import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import {
  readAnthropicMessage,
  readAnthropicStream,
  type SeenAnswer,
  type WireMessage,
} from '@tollgate/testing/read-anthropic-wire';
import { describeRecordings, loadRecordings, type RecordedCase } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { asObject } from '../json/parse-object.ts';
import { createSseParser } from '../sse/parse-events.ts';
import { decodeAnthropicError } from './decode-error.ts';
import { decodeAnthropicRequest } from './decode-request.ts';
import { decodeAnthropicResponse } from './decode-response.ts';
import { createAnthropicStreamDecoder } from './decode-stream.ts';
import { encodeAnthropicRequest } from './encode-request.ts';
import { encodeAnthropicResponse } from './encode-response.ts';
import { createAnthropicStreamEncoder } from './encode-stream.ts';

const recordings = loadRecordings();
const cases = recordings.cases.filter(({ dialect }) => dialect === 'anthropic-messages');
const named = (found: RecordedCase[]) => found.map((each) => ({ name: each.name, each }));
const streams = named(cases.filter(({ isStream, status }) => isStream && status === 200));
const wholes = named(cases.filter(({ isStream, status }) => !isStream && status === 200));
const failures = named(cases.filter(({ status }) => status !== 200));
const requests = named(cases.filter(({ request, status }) => request !== null && status === 200));

const STOP_REASONS: Record<CompletionResponse['choices'][number]['finish']['type'], string> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  refusal: 'refusal',
  content_filter: 'refusal',
  pause: 'pause_turn',
  context_length: 'model_context_window_exceeded',
};

/** A canonical answer in the plain values that reading by hand gives. */
function getSeen(response: CompletionResponse): SeenAnswer {
  const [choice] = response.choices;
  const { usage } = response;
  const content = choice?.content ?? [];
  const of = <T extends AssistantPart['type']>(type: T) =>
    content.filter((part): part is Extract<AssistantPart, { type: T }> => part.type === type);
  return {
    text: of('text')
      .map(({ text }) => text)
      .join(''),
    thinking: of('thinking')
      .map(({ text }) => text)
      .join(''),
    signatures: of('thinking').flatMap(({ signature }) => signature ?? []),
    calls: of('tool_call').map(({ id, name, arguments: json }) => ({ id, name, input: JSON.parse(json) })),
    others: content.flatMap((part) => {
      if (part.type === 'redacted_thinking') return [`redacted_thinking ${part.data}`];
      return part.type === 'opaque' ? [`${part.name} ${JSON.stringify(part.value['input'] ?? null)}`] : [];
    }),
    citations: of('text').reduce((sum, { citations }) => sum + citations.length, 0),
    stopReason: choice === undefined ? '' : STOP_REASONS[choice.finish.type],
    usage: {
      input: usage?.inputTokens ?? 0,
      read: usage?.cacheReadTokens ?? 0,
      write: usage?.cacheWriteTokens ?? 0,
      output: usage?.outputTokens ?? 0,
    },
  };
}

function decode(pieces: readonly Buffer[]): CompletionEvent[] {
  const parser = createSseParser();
  const decoder = createAnthropicStreamDecoder();
  const read = pieces.flatMap((piece) => parser.push(piece));
  return [...[...read, ...parser.finish()].flatMap((event) => decoder.push(event)), ...decoder.finish()];
}

const contextFor = (model: string) => ({
  requestId: 'req_1',
  model,
  nowSeconds: 0,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
});

describe(`messages (${describeRecordings(recordings)})`, () => {
  it.each(wholes)('the answer of $name is read, and written again', ({ each }) => {
    const body: WireMessage = JSON.parse(each.responseBody.toString());
    const response = decodeAnthropicResponse(asObject(body) ?? {});
    if (response === null) throw new Error('unreadable');
    expect(getSeen(response)).toEqual(readAnthropicMessage(body));
    const again: WireMessage = JSON.parse(
      JSON.stringify(encodeAnthropicResponse(response, contextFor(response.model))),
    );
    const { id, model, stop_sequence: sequence } = body;
    expect(again).toMatchObject({ id, model, stop_sequence: sequence });
    expect(readAnthropicMessage(again)).toEqual(readAnthropicMessage(body));
  });

  it.each(streams)('the stream of $name is read, in one burst and byte by byte', ({ each }) => {
    const events = decode([each.responseBody]);
    const { message, error } = readAnthropicStream(each.responseBody.toString());
    if (error === null) expect(getSeen(assembleCompletion(events))).toEqual(readAnthropicMessage(message));
    else expect(events.at(-1)).toMatchObject({ type: 'error', kind: error.type, message: error.message });
    const bytes = Array.from(each.responseBody, (_, at) => each.responseBody.subarray(at, at + 1));
    expect(decode(bytes)).toEqual(events);
  });

  it.each(streams)('the stream of $name decodes to the same events if split at any byte', ({ each }) => {
    const { responseBody: body } = each;
    const events = decode([body]);
    const step = Math.max(1, Math.floor(body.length / 200));
    for (let at = 1; at < body.length; at += step)
      expect(decode([body.subarray(0, at), body.subarray(at)])).toEqual(events);
  });

  it.each(streams)('the stream of $name is written again, for a client to read the same', ({ each }) => {
    const { message, error } = readAnthropicStream(each.responseBody.toString());
    const encoder = createAnthropicStreamEncoder(contextFor(message.model));
    const again = decode([each.responseBody])
      .map((event) => encoder.push(event))
      .join('');
    const repeated = readAnthropicStream(again);
    expect(repeated.error).toEqual(error);
    if (error === null) expect(readAnthropicMessage(repeated.message)).toEqual(readAnthropicMessage(message));
    const ending = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
    expect(again.endsWith(ending)).toBe(error === null);
  });

  it.each(streams)('the stream of $name counts as broken wherever it is cut short', ({ each }) => {
    const end = each.responseBody.lastIndexOf('"message_stop"');
    const step = Math.max(1, Math.floor(each.responseBody.length / 200));
    for (let at = 0; at < end; at += step)
      expect(decode([each.responseBody.subarray(0, at)]).at(-1)).toMatchObject({ type: 'error' });
  });

  it.each(failures)('the error of $name is read', ({ each }) => {
    const body: { error: { type: string; message: string } } = JSON.parse(each.responseBody.toString());
    const { type, message } = body.error;
    const code = message.startsWith('prompt is too long') ? 'context_length_exceeded' : null;
    expect(decodeAnthropicError(each.status, body)).toEqual({ kind: type, message, code });
  });

  it.each(requests)('the request of $name is decoded, and encoded with the same meaning', ({ each }) => {
    const decoded = decodeAnthropicRequest(each.request?.json ?? {});
    if (!decoded.ok) throw new Error(decoded.error.message);
    const encoded = encodeAnthropicRequest(decoded.value, { defaultMaxTokens: 1 });
    if (!encoded.ok) throw new Error(encoded.error.message);
    const again = decodeAnthropicRequest(JSON.parse(JSON.stringify(encoded.body)));
    if (!again.ok) throw new Error(again.error.message);
    expect(outline(again.value)).toEqual(outline(decoded.value));
  });
});

/** Turns of one side are merged and sampling is tidied on the way; what is said is not changed. */
function outline(request: { messages: unknown }): unknown {
  const said = JSON.stringify(request.messages).match(
    /"(text|data|url|arguments|callId|signature)":"[^"]{3,}/g,
  );
  return { ...request, messages: said, sampling: null };
}
