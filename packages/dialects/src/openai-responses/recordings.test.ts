import { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import { checkResponse } from '@tollgate/testing/conformance/check-response';
import { checkResponseStream } from '@tollgate/testing/conformance/check-response-stream';
import { describeRecordings, loadDialectFixtures, loadDialectRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { createSseParser } from '../sse/parse-events.ts';
import { getText } from '../stream-tap.fixture.ts';
import { StreamTap } from '../stream-tap.ts';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';
import { decodeOpenAiResponsesResponse } from './decode-response.ts';
import { createOpenAiResponsesStreamDecoder } from './decode-stream.ts';
import { encodeOpenAiResponsesRequest } from './encode-request.ts';
import { encodeOpenAiResponsesResponse } from './encode-response.ts';
import { createOpenAiResponsesStreamEncoder } from './encode-stream.ts';
import { readResponsePlainly } from './read-response-plainly.fixture.ts';
import { openAiResponsesStreamRules } from './stream-rules.ts';

const recordings = loadDialectRecordings(['openai-responses']);
const fixtures = loadDialectFixtures(['openai-responses']).cases;
const cases = recordings.source === 'fixtures' ? fixtures : [...recordings.cases, ...fixtures];
type Case = (typeof cases)[number];
const failing = (found: Case) => found.covers.includes('mid-stream-error');
const streams = cases.filter((found) => found.isStream && !failing(found));
const wholes = cases.filter((found) => !found.isStream);
const asked = cases.filter((found) => found.request !== null);

function decodeStream(pieces: Iterable<Buffer>): CompletionEvent[] {
  const parser = createSseParser();
  const decoder = createOpenAiResponsesStreamDecoder();
  const events: CompletionEvent[] = [];
  const take = (parsed: ReturnType<typeof parser.push>) =>
    events.push(...parsed.flatMap((event) => decoder.push(event)));
  for (const piece of pieces) take(parser.push(piece));
  take(parser.finish());
  return [...events, ...decoder.finish()];
}

/** The parts of an answer that a caller sees. */
function summarize({ choices, usage }: CompletionResponse) {
  const content = choices[0]?.content ?? [];
  const calls = content.filter((part) => part.type === 'tool_call');
  const join = (type: 'text' | 'refusal') =>
    content.map((part) => (part.type === type ? part.text : '')).join('');
  return {
    text: join('text'),
    refusal: join('refusal'),
    urls: content.flatMap((part) => (part.type === 'text' ? part.citations.map(({ url }) => url) : [])),
    calls: calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
    others: content.flatMap((part) => (part.type === 'opaque' ? [part.name] : [])),
    reasoningItems: content.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking').length,
    isCut: choices[0]?.finish.type === 'length',
    usage: usage && {
      input: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
      cached: usage.cacheReadTokens,
      output: usage.outputTokens,
      reasoning: usage.reasoningTokens,
    },
  };
}

/** The whole response that the last event of a stream holds. */
function lastResponse(body: Buffer): Record<string, unknown> {
  const data = body
    .toString('utf8')
    .split(/\r?\n/)
    .findLast((line) => line.startsWith('data: {'));
  return JSON.parse(data?.slice('data: '.length) ?? '{}').response;
}

const context = (found: Case, model: string) => ({
  requestId: 'req_1',
  model,
  nowSeconds: 1_700_000_000,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
  requestBody: found.request?.json ?? {},
});

/** Ids of one recording are redacted, and its time is 0; hidden reasoning is bound to the id of its item. */
function withoutHead(response: CompletionResponse) {
  return { ...response, id: '', createdAt: null, serviceTier: null };
}

describe(`The codec of responses. ${describeRecordings(recordings)}`, () => {
  it.each(wholes)('reads the answer $name', ({ responseBody }) => {
    const body = JSON.parse(responseBody.toString('utf8'));
    const response = decodeOpenAiResponsesResponse(body);
    if (response === null) throw new Error('It cannot be read');
    expect(summarize(response)).toEqual(readResponsePlainly(body));
  });

  it.each(wholes)('writes the answer $name so that it reads the same', (found) => {
    const response = decodeOpenAiResponsesResponse(JSON.parse(found.responseBody.toString('utf8')));
    if (response === null) throw new Error('It cannot be read');
    const written = JSON.parse(
      JSON.stringify(encodeOpenAiResponsesResponse(response, context(found, response.model))),
    );
    expect(decodeOpenAiResponsesResponse(written)).toEqual(response);
    expect(checkResponse(written)).toEqual([]);
  });

  it.each(streams)('reads the stream $name', ({ responseBody }) => {
    const response = assembleCompletion(decodeStream([responseBody]));
    expect(summarize(response)).toEqual(readResponsePlainly(lastResponse(responseBody)));
  });

  it.each(streams)('writes the stream $name so that it reads the same', (found) => {
    const events = decodeStream([found.responseBody]);
    const response = assembleCompletion(events);
    const encoder = createOpenAiResponsesStreamEncoder(context(found, response.model));
    const written = events.map((event) => encoder.push(event)).join('');
    const again = assembleCompletion(decodeStream([Buffer.from(written)]));
    expect(withoutHead(again)).toEqual(withoutHead(response));
    expect(checkResponseStream(written, { ending: 'whole' })).toEqual([]);
  });

  it.each(cases.filter((found) => found.isStream))('reads $name however it is cut', ({ responseBody }) => {
    const events = decodeStream([responseBody]);
    const bytes = Array.from(responseBody, (_byte, at) => responseBody.subarray(at, at + 1));
    expect(decodeStream(bytes)).toEqual(events);
    const odd = Array.from({ length: Math.ceil(responseBody.length / 7) }, (_piece, at) =>
      responseBody.subarray(at * 7, at * 7 + 7),
    );
    expect(decodeStream(odd)).toEqual(events);
  });

  it.each(streams)('finds the usage and the end of $name as it is relayed', ({ responseBody }) => {
    const tap = new StreamTap(openAiResponsesStreamRules);
    let relayed = '';
    for (let at = 0; at < responseBody.length; at += 11)
      relayed += getText(tap.push(responseBody.subarray(at, at + 11)));
    const { rest, isClean } = tap.finish();
    expect(isClean).toBe(true);
    expect(Buffer.from(relayed + getText(rest), 'latin1')).toEqual(responseBody);
    const { usage } = readResponsePlainly(lastResponse(responseBody));
    expect(tap.report?.usage.outputTokens).toBe(usage?.output);
    expect(tap.sawError).toBe(false);
  });

  it.each(cases.filter(failing))('ends $name with its error', ({ responseBody }) => {
    const events = decodeStream([responseBody]);
    expect(events.at(-1)).toMatchObject({ type: 'error', message: expect.stringMatching(/\w/) });
    expect(events.map((event) => event.type)).not.toContain('finish');
    const tap = new StreamTap(openAiResponsesStreamRules);
    tap.push(responseBody);
    expect(tap).toMatchObject({ sawError: true, terminated: true });
  });

  it.each(asked)('decodes the request of $name and encodes one with the same meaning', ({ request }) => {
    const decoded = decodeOpenAiResponsesRequest(request?.json ?? {});
    if (!decoded.ok) throw new Error(`${decoded.error.param}: ${decoded.error.message}`);
    const encoded = encodeOpenAiResponsesRequest(decoded.value);
    if (!encoded.ok) throw new Error(encoded.error.message);
    const tools = decoded.value.tools.map((tool) => ({ ...tool, strict: tool.strict ?? false }));
    expect(decodeOpenAiResponsesRequest(encoded.body)).toEqual({
      ok: true,
      value: { ...decoded.value, tools },
    });
  });
});
