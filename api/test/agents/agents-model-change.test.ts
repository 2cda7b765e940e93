import Anthropic from '@anthropic-ai/sdk';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  ADAPTIVE_CLAUDE,
  CLAUDE,
  getRefusals,
  getWeather,
  QUESTION,
  REASONING_MODELS,
  startAgentHarness,
  WEATHER_AGENT,
} from './agent-harness.ts';

const gateway = await startAgentHarness();
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => provider.reset());

const client = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.secret, maxRetries: 0 });
const tool: Anthropic.Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const settings = {
  max_tokens: 4000,
  tools: [tool],
  thinking: { type: 'enabled' as const, budget_tokens: 2000 },
};

/** One turn of a loop in which each message is returned unchanged, and its calls are answered. */
async function takeTurn(model: string, messages: Anthropic.MessageParam[]): Promise<void> {
  const { content } = await client.messages.create({ model, ...settings, messages });
  messages.push({ role: 'assistant', content });
  const results = content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
    block.type === 'tool_use'
      ? [{ type: 'tool_result', tool_use_id: block.id, content: getWeather('x') }]
      : [],
  );
  messages.push({ role: 'user', content: results.length > 0 ? results : 'And now?' });
}

// A body of more than 64 KiB is prepared by a thread.
describe.each([
  ['small', QUESTION],
  ['large', QUESTION + ' '.repeat(100_000)],
])('a conversation of Claude that another model began, %s', (_name, question) => {
  it.each(REASONING_MODELS)('is valid after %s', async (model, reasoning) => {
    for (const claude of [CLAUDE, ADAPTIVE_CLAUDE]) {
      provider.reset();
      provider.always({ agent: { ...WEATHER_AGENT, reasoning } });
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
      await takeTurn(model, messages);
      await takeTurn(claude, messages);
      await takeTurn(claude, messages);
      await takeTurn(claude, messages);
      expect(getRefusals(gateway)).toBe(0);
    }
  });
});
