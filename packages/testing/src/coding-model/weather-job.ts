import type { AgentScript, PlannedTurn } from '../agent-model/agent-script.ts';
import type { SeenConversation } from '../agent-model/seen-conversation.ts';

const CITIES = ['Oslo', 'Rome'];
const WEATHER = 'get_weather';
/** The tool in which some clients expect structured output without forcing it. */
const FORM = 'Place';
/** The tool in which some clients expect the last answer. */
const ANSWER = 'final_answer';

/**
 * The script of a model that is asked for the weather in two cities: it calls the tool for both in parallel, and answers with the
 * results. All other requests get a short text, or JSON in the requested form.
 */
export function getWeatherScript(tools: readonly { name: string }[]): AgentScript {
  const offered = new Set(tools.map(({ name }) => name));
  return { turns: [(seen) => planWeather(seen, offered)] };
}

function planWeather({ said, results }: SeenConversation, offered: ReadonlySet<string>): PlannedTurn {
  const isAsked = said.some((text) => CITIES.every((city) => text.includes(city)));
  if (offered.has(FORM)) return { calls: [{ name: FORM, arguments: { city: 'sample', km: 1 } }] };
  const reasoning = { thinks: 'Look at both cities.', hides: 'A hidden step.' };
  if (!isAsked || !offered.has(WEATHER)) return {};
  // smolagents writes results as text of the user.
  const observed = said.filter((text) => CITIES.every((city) => text.includes(` degrees in ${city}`)));
  if (results.length === 0 && observed.length === 0)
    return { ...reasoning, calls: CITIES.map((city) => ({ name: WEATHER, arguments: { city } })) };
  const answer = [...results.map(({ text }) => text), ...observed].join('; ');
  if (offered.has(ANSWER)) return { ...reasoning, calls: [{ name: ANSWER, arguments: { answer } }] };
  return { ...reasoning, says: answer };
}
