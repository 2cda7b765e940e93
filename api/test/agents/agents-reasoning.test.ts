import OpenAI from 'openai';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  ADAPTIVE_CLAUDE,
  ALL_REASONING,
  CLAUDE,
  expectedAnswer,
  QUESTION,
  getRefusals,
  startAgentHarness,
  WEATHER_AGENT,
  getWeather,
} from './agent-harness.ts';

const gateway = await startAgentHarness();
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => provider.reset());

const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.secret, maxRetries: 0 });
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];

type Messages = OpenAI.ChatCompletionMessageParam[];

/** An agent loop in the style of this SDK: each message is returned unchanged. */
async function runLoop(
  messages: Messages,
  ask: (messages: Messages) => Promise<OpenAI.ChatCompletionMessage | undefined>,
): Promise<string | null> {
  for (let round = 0; round < 5; round++) {
    const message = await ask(messages);
    if (message === undefined) break;
    messages.push(message);
    if (message.tool_calls === undefined || message.tool_calls.length === 0) return message.content;
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue;
      const { city } = JSON.parse(call.function.arguments);
      messages.push({ role: 'tool', tool_call_id: call.id, content: getWeather(city) });
    }
  }
  throw new Error('The loop did not end');
}

type Ask = (model: string, messages: Messages) => Promise<OpenAI.ChatCompletionMessage | undefined>;

// No temperature: some models do not accept one, or not while thinking.
const settings = { tools, reasoning_effort: 'high' as const, temperature: 0.2 };
const askWhole: Ask = async (model, messages) => {
  const completion = await client.chat.completions.create({ model, ...settings, messages });
  return completion.choices[0]?.message;
};
const askStreamed: Ask = (model, messages) =>
  client.chat.completions.stream({ model, ...settings, messages }).finalMessage();

const ASKS: [string, string, Ask][] = [CLAUDE, ADAPTIVE_CLAUDE].flatMap((model) => [
  [model, 'whole', askWhole],
  [model, 'streamed', askStreamed],
]);

describe.each(ASKS)('signed thinking of %s, %s', (model, _name, askModel) => {
  const ask = (messages: Messages) => askModel(model, messages);

  it('is returned through chat completions over all turns of a tool loop', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const messages: Messages = [{ role: 'user', content: QUESTION }];
    expect(await runLoop(messages, ask)).toBe(expectedAnswer(ALL_REASONING));
    expect(getRefusals(gateway)).toBe(0);
    // The next question includes the whole conversation.
    provider.always({
      agent: { turns: [({ reasoning, said }) => ({ says: `${said.at(-1)}: ${reasoning.length}` })] },
    });
    messages.push({ role: 'user', content: 'And now?' });
    expect(await runLoop(messages, ask)).toBe('And now?: 4');
    expect(getRefusals(gateway)).toBe(0);
  });

  it('is not required if the caller does not keep it', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const messages: Messages = [{ role: 'user', content: QUESTION }];
    const forget = async (given: Messages) => {
      const message = await ask(given);
      if (message === undefined) return undefined;
      const { role, content, tool_calls, refusal } = message;
      return { role, content, refusal, ...(tool_calls === undefined ? {} : { tool_calls }) };
    };
    expect(await runLoop(messages, forget)).toBe(expectedAnswer());
    expect(getRefusals(gateway)).toBe(0);
  });
});
