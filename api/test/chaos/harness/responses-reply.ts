import type { TokenUsage } from '@tollgate/core/money/money';
import type { Script } from '@tollgate/testing/fake-provider/script';

/** Number of events before the first word's event. */
export const RESPONSES_OPENING_EVENTS = 4;

/** A Responses API reply with the given number of words, for the fake provider, which does not support that API. */
export function responsesReply(options: {
  model: string;
  words: number;
  usage: TokenUsage;
  isStream: boolean;
}): NonNullable<Script['replay']> {
  const body = options.isStream ? createStream(options) : JSON.stringify(getResponse(options, 'completed'));
  return { body, usage: options.usage };
}

interface Reply {
  model: string;
  words: number;
  usage: TokenUsage;
}

const ITEM = { item_id: 'msg_fake0001', output_index: 0, content_index: 0 };

/** https://platform.openai.com/docs/api-reference/responses/object */
function getResponse({ model, words, usage }: Reply, status: 'in_progress' | 'completed'): object {
  const isDone = status === 'completed';
  return {
    id: 'resp_fake0001',
    object: 'response',
    created_at: 1_760_000_000,
    status,
    error: null,
    incomplete_details: null,
    model,
    output: isDone ? [getMessage(words)] : [],
    usage: isDone
      ? {
          input_tokens: usage.inputTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: usage.outputTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: usage.inputTokens + usage.outputTokens,
        }
      : null,
  };
}

function getMessage(words: number): object {
  return { ...openingMessage('completed'), content: [getPart(getText(words))] };
}

function openingMessage(status: string): object {
  return { id: ITEM.item_id, type: 'message', status, role: 'assistant', content: [] };
}

function getPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function getText(words: number): string {
  return getWords(words).join('');
}

/** The same words as the fake provider uses in its dialects. */
function getWords(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index === 0 ? '' : ' '}word${index + 1}`);
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
function createStream(reply: Reply): string {
  const text = getText(reply.words);
  const events: [type: string, fields: object][] = [
    ['response.created', { response: getResponse(reply, 'in_progress') }],
    ['response.in_progress', { response: getResponse(reply, 'in_progress') }],
    ['response.output_item.added', { output_index: 0, item: openingMessage('in_progress') }],
    ['response.content_part.added', { ...ITEM, part: getPart('') }],
    ...getWords(reply.words).map((delta): [string, object] => [
      'response.output_text.delta',
      { ...ITEM, delta, logprobs: [] },
    ]),
    ['response.output_text.done', { ...ITEM, text, logprobs: [] }],
    ['response.content_part.done', { ...ITEM, part: getPart(text) }],
    ['response.output_item.done', { output_index: 0, item: getMessage(reply.words) }],
    ['response.completed', { response: getResponse(reply, 'completed') }],
  ];
  return events
    .map(([type, fields], index) => {
      const data = JSON.stringify({ type, ...fields, sequence_number: index });
      return `event: ${type}\ndata: ${data}\n\n`;
    })
    .join('');
}
