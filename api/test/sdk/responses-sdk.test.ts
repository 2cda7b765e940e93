import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MODEL, startGateway } from '../gateway-fixture.ts';

const gateway = await startGateway();
const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.secret, maxRetries: 0 });

afterAll(async () => gateway[Symbol.asyncDispose]());

describe('the Responses API, read with OpenAI’s own SDK', () => {
  it('returns a whole response', async () => {
    const response = await client.responses.create({ model: MODEL, input: 'Say hello.' });
    expect(response).toMatchObject({ object: 'response', status: 'completed', model: MODEL });
    expect(response.output_text).not.toBe('');
    expect(response.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('streams, and the end matches the deltas', async () => {
    const stream = client.responses.stream({
      model: MODEL,
      input: [{ role: 'user', content: 'Say hello.' }],
    });
    let text = '';
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    const final = await stream.finalResponse();
    expect(text).not.toBe('');
    expect(final.output_text).toBe(text);
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    expect(types.at(-1)).toBe('response.completed');
  });

  it('calls tools and accepts their results', async () => {
    const tools: OpenAI.Responses.Tool[] = [
      {
        type: 'function',
        name: 'get_weather',
        description: 'The weather of a city.',
        strict: true,
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    ];
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'The weather in Paris?' }];
    const asked = await client.responses.create({ model: MODEL, input, tools });
    const call = asked.output.find((item) => item.type === 'function_call');
    if (call?.type !== 'function_call') throw new Error('no tool was called');
    expect(call.name).toBe('get_weather');
    input.push(call, { type: 'function_call_output', call_id: call.call_id, output: 'Sunny.' });
    const final = await client.responses.create({ model: MODEL, input, tools });
    expect(final.output_text).not.toBe('');
  });

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['background', { background: true }],
  ])('refuses %s, because the gateway stores no responses', async (param, more) => {
    const error = await client.responses
      .create({ model: MODEL, input: 'Say hello.', ...more })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: 'unsupported_parameter', param });
  });

  it('forwards the schema of a structured response', async () => {
    const format = zodTextFormat(z.object({ city: z.string() }), 'place');
    await client.responses.create({ model: MODEL, input: 'A city.', text: { format } });
    const sent = gateway.provider.requests.at(-1)?.body.toString() ?? '';
    expect(sent).toContain('"schema":{');
    expect(sent).toContain('"city":{"type":"string"}');
  });
});
