type Json = Record<string, unknown>;

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a whole response in the plainest way, for tests to hold the codec against. */
export function readResponsePlainly(body: Json) {
  const items = listOf(body['output']);
  const content = items.flatMap((item) => (item['type'] === 'message' ? listOf(item['content']) : []));
  const known = ['message', 'function_call', 'reasoning'];
  const usage = objectOf(body['usage']);
  return {
    text: content.map((part) => textOf(part['text'])).join(''),
    refusal: content.map((part) => textOf(part['refusal'])).join(''),
    urls: content.flatMap((part) => listOf(part['annotations']).map((annotation) => annotation['url'])),
    calls: items
      .filter((item) => item['type'] === 'function_call')
      .map((item) => ({ id: item['call_id'], name: item['name'], arguments: item['arguments'] })),
    others: items.map((item) => textOf(item['type'])).filter((type) => !known.includes(type)),
    reasoningItems: items.filter((item) => item['type'] === 'reasoning').length,
    isCut: objectOf(body['incomplete_details'])['reason'] === 'max_output_tokens',
    usage: {
      input: usage['input_tokens'],
      cached: objectOf(usage['input_tokens_details'])['cached_tokens'],
      output: usage['output_tokens'],
      reasoning: objectOf(usage['output_tokens_details'])['reasoning_tokens'],
    },
  };
}
