import { Buffer } from 'node:buffer';
import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import { describeRecordings, loadRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { createSseParser } from '../sse/parse-events.ts';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { decodeOpenAiChatResponse } from './decode-response.ts';
import { createOpenAiChatStreamDecoder } from './decode-stream.ts';
import { encodeOpenAiChatRequest } from './encode-request.ts';
import { encodeOpenAiChatResponse } from './encode-response.ts';
import { createOpenAiChatStreamEncoder } from './encode-stream.ts';
import { readAnswerPlainly } from './read-answer-plainly.fixture.ts';

const recordings = loadRecordings();
const cases = recordings.cases.filter((found) => found.dialect === 'openai-chat');
const answered = cases.filter((found) => found.status === 200);
const failing = (found: (typeof cases)[number]) => found.covers.includes('mid-stream-error');
const streams = answered.filter((found) => found.isStream && !failing(found));
const wholes = answered.filter((found) => !found.isStream);

function decodeStream(pieces: Iterable<Buffer>): CompletionEvent[] {
  const parser = createSseParser();
  const decoder = createOpenAiChatStreamDecoder();
  const events: CompletionEvent[] = [];
  const take = (parsed: ReturnType<typeof parser.push>) =>
    events.push(...parsed.flatMap((event) => decoder.push(event)));
  for (const piece of pieces) take(parser.push(piece));
  take(parser.finish());
  return [...events, ...decoder.finish()];
}

/** The parts of an answer that a caller sees. */
function summarize({ choices, usage }: CompletionResponse) {
  return {
    usage: usage && {
      prompt: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
      cached: usage.cacheReadTokens,
      output: usage.outputTokens,
    },
    choices: choices.map(({ content, finish }) => {
      const join = (type: 'text' | 'thinking' | 'refusal') =>
        content.map((part) => (part.type === type ? part.text : '')).join('');
      const calls = content.filter((part) => part.type === 'tool_call');
      return {
        text: join('text'),
        thinking: join('thinking'),
        refusal: join('refusal'),
        calls: calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
        finish: finish.type,
      };
    }),
  };
}

const context = (model: string) => ({
  requestId: 'req_1',
  model,
  nowSeconds: 1,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
});

describe(`The codec. ${describeRecordings(recordings)}`, () => {
  it.each(wholes)('reads the answer $name', ({ responseBody }) => {
    const body = JSON.parse(responseBody.toString('utf8'));
    const response = decodeOpenAiChatResponse(body);
    if (response === null) throw new Error('It cannot be read');
    expect(summarize(response)).toEqual(readAnswerPlainly([body], response.id));
  });

  it.each(wholes)('writes the answer $name so that it reads the same', ({ responseBody }) => {
    const response = decodeOpenAiChatResponse(JSON.parse(responseBody.toString('utf8')));
    if (response === null) throw new Error('It cannot be read');
    const again = decodeOpenAiChatResponse(encodeOpenAiChatResponse(response, context(response.model)));
    const { id, createdAt } = response;
    expect(again).toEqual({ ...response, id: id === '' ? 'req_1' : id, createdAt: createdAt ?? 1 });
  });

  it.each(streams)('reads the stream $name', ({ responseBody }) => {
    const response = assembleCompletion(decodeStream([responseBody]));
    const chunks = responseBody
      .toString('utf8')
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)));
    expect(summarize(response)).toEqual(readAnswerPlainly(chunks, response.id));
  });

  it.each(streams)('writes the stream $name so that it reads the same', ({ responseBody }) => {
    const events = decodeStream([responseBody]);
    const response = assembleCompletion(events);
    const encoder = createOpenAiChatStreamEncoder(context(response.model));
    const written = events.map((event) => encoder.push(event)).join('');
    const again = assembleCompletion(decodeStream([Buffer.from(written)]));
    const { id, createdAt } = response;
    const expected = { ...response, id: id === '' ? 'req_1' : id, createdAt: createdAt ?? 1 };
    expect(withoutSignatures(again)).toEqual(withoutSignatures(expected));
  });

  it.each(answered.filter((found) => found.isStream))('reads $name however it is cut', ({ responseBody }) => {
    const events = decodeStream([responseBody]);
    const bytes = Array.from(responseBody, (_byte, at) => responseBody.subarray(at, at + 1));
    expect(decodeStream(bytes)).toEqual(events);
    const odd = Array.from({ length: Math.ceil(responseBody.length / 7) }, (_piece, at) =>
      responseBody.subarray(at * 7, at * 7 + 7),
    );
    expect(decodeStream(odd)).toEqual(events);
  });

  it.each(answered.filter(failing))('ends $name with its error', ({ responseBody }) => {
    const events = decodeStream([responseBody]);
    expect(events.at(-1)).toMatchObject({ type: 'error', message: expect.stringMatching(/\w/) });
    expect(events.map((event) => event.type)).not.toContain('finish');
  });

  it.each(cases.filter((found) => found.request !== null && found.status === 200))(
    'reads the request of $name and writes one that says the same',
    ({ request }) => {
      const decoded = decodeOpenAiChatRequest(request?.json ?? {});
      if (!decoded.ok) throw new Error(`${decoded.error.param}: ${decoded.error.message}`);
      const encoded = encodeOpenAiChatRequest(decoded.value);
      if (!encoded.ok) throw new Error(encoded.error.message);
      expect(decodeOpenAiChatRequest(encoded.body)).toMatchObject({
        value: { messages: withoutReasoning(decoded.value.messages), tools: decoded.value.tools },
      });
    },
  );
});

function withoutReasoning(messages: readonly { role: string; content: readonly { type: string }[] }[]) {
  return messages.map((message) => ({
    role: message.role,
    content: message.content
      .filter((part) => part.type !== 'thinking')
      .map((part) => ('cache' in part ? { ...part, cache: null } : part)),
  }));
}

/** A stream sends signatures after the answer, too late for a canonical one, and so the places of citations. */
function withoutSignatures(response: CompletionResponse): CompletionResponse {
  const citation = { start: null, end: null, original: {} };
  const plain = (part: AssistantPart): AssistantPart => {
    if (part.type === 'thinking') return { ...part, signature: null };
    if (part.type !== 'text') return part;
    return { ...part, citations: part.citations.map((cited) => ({ ...cited, ...citation })) };
  };
  return {
    ...response,
    choices: response.choices.map((choice) => ({ ...choice, content: choice.content.map(plain) })),
  };
}
