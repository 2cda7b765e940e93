type Json = Record<string, unknown>;

const asJsonObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asJsonObject) : []);
const getText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a whole response in the plainest way, for tests to hold the codec against. */
export function readResponsePlainly(body: Json) {
  const items = asList(body['output']);
  const content = items.flatMap((item) => (item['type'] === 'message' ? asList(item['content']) : []));
  const known = ['message', 'function_call', 'reasoning'];
  const usage = asJsonObject(body['usage']);
  return {
    text: content.map((part) => getText(part['text'])).join(''),
    refusal: content.map((part) => getText(part['refusal'])).join(''),
    urls: content.flatMap((part) => asList(part['annotations']).map((annotation) => annotation['url'])),
    calls: items
      .filter((item) => item['type'] === 'function_call')
      .map((item) => ({ id: item['call_id'], name: item['name'], arguments: item['arguments'] })),
    others: items.map((item) => getText(item['type'])).filter((type) => !known.includes(type)),
    reasoningItems: items.filter((item) => item['type'] === 'reasoning').length,
    isCut: asJsonObject(body['incomplete_details'])['reason'] === 'max_output_tokens',
    usage: {
      input: usage['input_tokens'],
      cached: asJsonObject(usage['input_tokens_details'])['cached_tokens'],
      output: usage['output_tokens'],
      reasoning: asJsonObject(usage['output_tokens_details'])['reasoning_tokens'],
    },
  };
}
