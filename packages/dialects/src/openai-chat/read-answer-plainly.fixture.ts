type Json = Record<string, unknown>;

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

interface PlainCall {
  id: string;
  name: string;
  arguments: string;
}

interface PlainChoice {
  text: string;
  thinking: string;
  refusal: string;
  calls: PlainCall[];
  finish: string;
}

/**
 * Reads the chunks of a stream, or the one body of an answer, in the plainest way, for tests to hold the codec against:
 * no state but what is said so far.
 * @param id the id of the answer: calls without one are expected to be named after it
 */
export function readAnswerPlainly(bodies: readonly Json[], id: string) {
  const choices: PlainChoice[] = [];
  let usage: { prompt: number; cached: number; output: number } | null = null;
  for (const body of bodies) {
    for (const [place, choice] of listOf(body['choices']).entries()) {
      const index = typeof choice['index'] === 'number' ? choice['index'] : place;
      choices[index] ??= { text: '', thinking: '', refusal: '', calls: [], finish: '' };
      addTo(choices[index], choice, id);
    }
    usage = usageOf(body) ?? usage;
  }
  return { usage, choices };
}

function addTo(plain: PlainChoice, choice: Json, id: string): void {
  const said = objectOf(choice['delta'] ?? choice['message']);
  if (Array.isArray(said['content'])) {
    for (const part of listOf(said['content'])) {
      plain.text += textOf(part['text']);
      for (const thought of listOf(part['thinking'])) plain.thinking += textOf(thought['text']);
    }
  } else plain.text += textOf(said['content']);
  plain.thinking += textOf(said['reasoning_content']) || textOf(said['reasoning']);
  plain.refusal += textOf(said['refusal']);
  for (const call of listOf(said['tool_calls'])) addCall(plain.calls, call, id);
  const legacy = said['function_call'];
  if (legacy !== undefined && legacy !== null) addCall(plain.calls, { function: legacy }, id);
  const reason = textOf(choice['finish_reason']);
  if (reason === '') return;
  plain.finish = reason === 'function_call' || plain.calls.length > 0 ? 'tool_calls' : reason;
  if (reason === 'length') plain.finish = 'length';
  else if (plain.refusal !== '') plain.finish = 'refusal';
}

function addCall(calls: PlainCall[], call: Json, answerId: string): void {
  const called = objectOf(call['function']);
  const id = textOf(call['id']);
  const last = calls.at(-1);
  if (last === undefined || textOf(called['name']) !== '') {
    const answer = answerId.replaceAll(/[^\w-]/g, '').slice(-24);
    const named = id === '' ? `call_${answer}_${calls.length}` : id;
    calls.push({ id: named, name: textOf(called['name']), arguments: textOf(called['arguments']) });
    return;
  }
  const open = typeof call['index'] === 'number' ? (calls[call['index']] ?? last) : last;
  open.arguments += textOf(called['arguments']);
}

function usageOf(body: Json) {
  const given = body['usage'] ?? objectOf(body['x_groq'])['usage'] ?? null;
  if (given === null) return null;
  const usage = objectOf(given);
  const details = objectOf(usage['prompt_tokens_details']);
  const prompt = countOf(usage['prompt_tokens']);
  // Everything that is no prompt was made by the model, said or thought.
  const reasoning = countOf(objectOf(usage['completion_tokens_details'])['reasoning_tokens']);
  const completion = countOf(usage['completion_tokens']);
  const output = typeof usage['total_tokens'] === 'number' ? usage['total_tokens'] - prompt : 0;
  return {
    prompt,
    cached: countOf(details['cached_tokens']),
    // The Vercel gateway counts Gemini's reasoning separately from the completion, and bills both.
    output:
      reasoning > output && reasoning > completion ? completion + reasoning : Math.max(output, completion),
  };
}
