import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from './answer-event.ts';
import { streamAnswer, type AnswerCall } from './stream-answer.ts';

/** A server with a scripted response; it records requests in `seen`. */
async function serve(answer: (response: ServerResponse) => void) {
  const seen: { url: string; authorization: string; body: unknown }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { authorization = '' } = request.headers;
      seen.push({ url: request.url ?? '', authorization, body: JSON.parse(text) });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function run(baseUrl: string, dialect: AnswerCall['dialect'], signal = new AbortController().signal) {
  const events: AnswerEvent[] = [];
  const requestIds: string[] = [];
  const failure = await streamAnswer({
    baseUrl,
    secret: 'sk-test',
    dialect,
    body: { model: 'm', messages: [] },
    signal,
    onRequestId: (id) => requestIds.push(id),
    onEvents: (some) => events.push(...some),
  });
  return { failure, events, requestIds };
}

const sse = (response: ServerResponse, ...data: object[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' });
  for (const item of data) response.write(`data: ${JSON.stringify(item)}\n\n`);
};

describe('an answer that streams', () => {
  it('is read in the dialect of OpenAI, with the requested usage', async () => {
    await using server = await serve((response) => {
      sse(
        response,
        { choices: [{ delta: { content: 'Hé' }, finish_reason: null }], usage: null },
        {
          choices: [
            { delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{' } }] } },
          ],
        },
        {
          choices: [
            { delta: { tool_calls: [{ index: 0, function: { arguments: '}' } }] }, finish_reason: 'stop' },
          ],
        },
        {
          choices: [],
          usage: { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
        },
      );
      response.end('data: [DONE]\n\n');
    });
    const { failure, events, requestIds } = await run(server.baseUrl, 'openai');
    expect(failure).toBeNull();
    expect(requestIds).toEqual(['req_1']);
    expect(events).toEqual([
      { kind: 'text', text: 'Hé' },
      { kind: 'tool_call', index: 0, id: 'c', name: 'f' },
      { kind: 'tool_arguments', index: 0, text: '{' },
      { kind: 'tool_arguments', index: 0, text: '}' },
      { kind: 'finish', reason: 'stop' },
      {
        kind: 'usage',
        usage: {
          inputTokens: 6,
          cacheReadTokens: 4,
          cacheWriteTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: 3,
        },
      },
      { kind: 'end' },
    ]);
    expect(server.seen).toMatchObject([
      {
        url: '/v1/chat/completions',
        authorization: 'Bearer sk-test',
        body: { stream: true, stream_options: { include_usage: true } },
      },
    ]);
  });

  it('is read in the dialect of Anthropic, whose usage comes in two parts', async () => {
    await using server = await serve((response) => {
      sse(
        response,
        {
          type: 'message_start',
          message: { usage: { input_tokens: 7, cache_creation_input_tokens: 2, output_tokens: 1 } },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', id: 't', name: 'f', input: {} },
        },
        { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } },
        { type: 'ping' },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      );
      response.end();
    });
    const { failure, events } = await run(server.baseUrl, 'anthropic');
    expect(failure).toBeNull();
    expect(events.filter(({ kind }) => kind !== 'usage')).toEqual([
      { kind: 'text', text: 'Hi' },
      { kind: 'tool_call', index: 1, id: 't', name: 'f' },
      { kind: 'tool_arguments', index: 1, text: '{}' },
      { kind: 'finish', reason: 'tool_use' },
      { kind: 'end' },
    ]);
    expect(events.findLast(({ kind }) => kind === 'usage')).toEqual({
      kind: 'usage',
      usage: {
        inputTokens: 7,
        cacheReadTokens: 0,
        cacheWriteTokens: 2,
        cacheWrite1hTokens: 0,
        outputTokens: 9,
      },
    });
    expect(server.seen).toMatchObject([{ url: '/v1/messages', body: { stream: true } }]);
  });

  it('that ends without its last event has broken off', async () => {
    await using server = await serve((response) => {
      sse(response, { choices: [{ delta: { content: 'Ha' } }] });
      response.end();
    });
    const { failure, events } = await run(server.baseUrl, 'openai');
    expect(failure?.message).toMatch(/ended unexpectedly/);
    expect(events).toEqual([{ kind: 'text', text: 'Ha' }]);
  });

  it.each(['openai', 'anthropic'] as const)(
    'reports an error in the middle of a stream, %s',
    async (dialect) => {
      await using server = await serve((response) => {
        sse(response, { type: 'error', error: { type: 'overloaded_error', message: 'Too much to do' } });
        response.end();
      });
      expect((await run(server.baseUrl, dialect)).failure).toMatchObject({ message: 'Too much to do' });
    },
  );

  it('returns the complete error of a refused request', async () => {
    await using server = await serve((response) => {
      response.writeHead(402, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"Nothing is left","code":"budget_exceeded"}}');
    });
    const { failure } = await run(server.baseUrl, 'openai');
    expect(failure).toMatchObject({ status: 402, message: 'Nothing is left' });
    expect(failure?.body).toContain('budget_exceeded');
  });

  it('reports an unreachable server', async () => {
    const { failure } = await run('http://127.0.0.1:9/v1', 'openai');
    expect(failure).toMatchObject({ status: null, message: expect.stringContaining("can't be reached") });
  });

  it('is stopped by its signal, before and within it', async () => {
    await using server = await serve((response) =>
      sse(response, { choices: [{ delta: { content: 'Ha' } }] }),
    );
    const stopped = new AbortController();
    const running = run(server.baseUrl, 'openai', stopped.signal);
    setTimeout(() => stopped.abort(), 50);
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await expect(run(server.baseUrl, 'openai', AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

it('reads billed units in addition to tokens, in either dialect', async () => {
  await using chat = await serve((response) => {
    sse(response, {
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 9,
        completion_tokens_details: { audio_tokens: 4 },
        server_tool_use: { web_search_requests: 2 },
      },
    });
    response.end('data: [DONE]\n\n');
  });
  expect((await run(chat.baseUrl, 'openai')).events).toContainEqual({
    kind: 'usage',
    usage: expect.objectContaining({
      outputTokens: 5,
      extras: { audioOutputTokens: 4, toolCalls: { web_search: 2 } },
    }),
  });
  await using messages = await serve((response) => {
    const usage = { input_tokens: 1, output_tokens: 1, server_tool_use: { web_search_requests: 3 } };
    sse(
      response,
      { type: 'message_start', message: { usage: { input_tokens: 1 } } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    );
    response.end();
  });
  expect((await run(messages.baseUrl, 'anthropic')).events).toContainEqual({
    kind: 'usage',
    usage: expect.objectContaining({ extras: { toolCalls: { web_search: 3 } } }),
  });
});
