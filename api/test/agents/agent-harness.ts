import { setAccountPlan } from '@tollgate/db/queries/plans/plans';
import type { AgentScript, ReasoningStyle } from '@tollgate/testing/agent-model/agent-script';
import { creditBalance } from '@tollgate/testing/credit-balance';
// The first compilation of the SDK schemas is slow: do it before any test, not in one.
import '@tollgate/testing/conformance/find-request-violation';
import type { Gateway } from '../gateway-fixture.ts';
import { startProviderGateway, type TestProvider } from '../provider-gateway.ts';

/** The providers, each with separate models, so that callers of another dialect get a translation. */
const PROVIDERS: readonly TestProvider[] = [
  {
    name: 'claude',
    dialect: 'anthropic-messages',
    preset: null,
    models: ['claude-sonnet-4-5', 'claude-opus-4-8'],
  },
  { name: 'chat', dialect: 'openai-chat', preset: null, models: ['chat-model'] },
  { name: 'gemini', dialect: 'openai-chat', preset: 'gemini', models: ['gemini-3-flash'] },
  { name: 'openrouter', dialect: 'openai-chat', preset: 'openrouter', models: ['openrouter-model'] },
  { name: 'deepseek', dialect: 'openai-chat', preset: 'deepseek', models: ['deepseek-model'] },
];

/** A model that requires a thinking budget and enforces strict rules for thinking. */
export const CLAUDE = 'claude-sonnet-4-5';
/** A model that decides how much it thinks, and accepts neither a budget nor sampling. */
export const ADAPTIVE_CLAUDE = 'claude-opus-4-8';
/** A model behind chat completions that shows no reasoning. */
export const CHAT = 'chat-model';

/** How each model behind chat completions returns its reasoning. */
export const REASONING_MODELS: readonly [model: string, style: ReasoningStyle][] = [
  ['gemini-3-flash', 'gemini'],
  ['openrouter-model', 'openrouter'],
  ['deepseek-model', 'deepseek'],
];

const CREDIT_NANO_USD = 1_000_000_000_000n;

/** A gateway with models for agents, each behind a single dialect. Its account pays, so its requests are restricted too. */
export async function startAgentHarness(): Promise<Gateway> {
  const gateway = await startProviderGateway(PROVIDERS);
  const { accountId, database } = gateway;
  await setAccountPlan(database.db, { accountId, planId: 'standard', actorUserId: null });
  await creditBalance(database.db, { accountId, amountNanoUsd: CREDIT_NANO_USD });
  return gateway;
}

/** The weather of a city, as returned by every test's tool. */
export const getWeather = (city: string): string => `${city.length * 3} °C in ${city}`;

/** The agents' question; the answer needs two rounds of tool calls, the first with two parallel calls. */
export const QUESTION = 'Compare Oslo with Reykjavík, then look at Rome.';

/** Two parallel calls, one more after their results, then an answer made of all results. */
export const WEATHER_AGENT: AgentScript = {
  turns: [
    {
      thinks: 'Two cities first.',
      hides: 'This is hidden.',
      says: 'I look at two.',
      calls: [
        { name: 'weather', arguments: { city: 'Oslo' } },
        { name: 'weather', arguments: { city: 'Reykjavík' } },
      ],
    },
    { thinks: 'Now the third.', calls: [{ name: 'weather', arguments: { city: 'Rome' } }] },
    ({ results, reasoning }) => ({
      thinks: 'All three are there.',
      says: [
        ...results.map(({ name, input, text }) => `${name}(${JSON.stringify(input)}) = ${text}`),
        `reasoning: ${reasoning.join(' + ')}`,
      ].join('; '),
    }),
  ],
};

/** The final answer of {@link WEATHER_AGENT} if nothing was lost. */
export function expectedAnswer(reasoning: readonly string[] = []): string {
  const lines = ['Oslo', 'Reykjavík', 'Rome'].map(
    (city) => `weather({"city":"${city}"}) = ${getWeather(city)}`,
  );
  return [...lines, `reasoning: ${reasoning.join(' + ')}`].join('; ');
}

/** The reasoning of its first two rounds, for a model that shows some of it and hides the rest. */
export const ALL_REASONING = ['Two cities first.', 'This is hidden.', 'Now the third.'];
/** The same for Google's models, which show only the thinking signature. */
export const GEMINI_REASONING = ['before weather', 'before weather'];

/** The number of requests that the model refused; 0 if every turn was valid. */
export function getRefusals({ provider }: Gateway): number {
  return provider.requests.filter(({ status }) => status !== 200).length;
}

/** The usage that the provider reported for all requests together. */
export function totalUsage({ provider }: Gateway): { input: number; output: number } {
  const all = provider.requests.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  return {
    input: all.reduce((sum, { inputTokens, cacheReadTokens }) => sum + inputTokens + cacheReadTokens, 0),
    output: all.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}
