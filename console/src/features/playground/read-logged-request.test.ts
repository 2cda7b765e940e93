import { expect, it } from 'vitest';
import { getConversation, type UserTurn } from './conversation.ts';
import { readLoggedRequest } from './read-logged-request.ts';
import { buildRequest } from './request/build-request.ts';
import { parseTools } from './request/parse-tools.ts';

function read(endpoint: string, body: object) {
  let id = 0;
  return readLoggedRequest({ endpoint, body: JSON.stringify(body) }, () => (id += 1));
}

const TURNS = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello!' },
  { role: 'user', content: 'And now?' },
];

it.each([
  [
    '/v1/chat/completions',
    {
      model: 'gpt-5',
      messages: [{ role: 'system', content: 'Be brief.' }, ...TURNS],
      temperature: 0.5,
      max_tokens: 20,
      tools: [
        { type: 'function', function: { name: 'find', parameters: { type: 'object', properties: {} } } },
      ],
    },
  ],
  ['/v1/messages', { model: 'claude', max_tokens: 20, system: 'Be brief.', messages: TURNS }],
] as const)('a request to %s is the same when the playground sends it', (endpoint, body) => {
  const opened = read(endpoint, body);
  if (opened === null) throw new Error('it cannot be opened');
  const { search, state } = opened;
  expect(state).toMatchObject({ system: 'Be brief.', draft: 'And now?' });
  const tools = parseTools(state.tools);
  if (!tools.ok) throw new Error('the tools cannot be read');
  const last: UserTurn = { kind: 'user', id: 9, text: state.draft, image: null, toolResults: [] };
  const sent = buildRequest(search.dialect ?? 'openai', {
    model: search.model ?? '',
    system: state.system,
    turns: [...getConversation(state.conversations, 0), last],
    tools: tools.tools,
    temperature: search.temperature,
    maxTokens: search.max,
  });
  expect(sent).toEqual(body);
});

it('reads parts of text', () => {
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'Two' },
      ],
    },
  ];
  expect(read('/v1/messages', { model: 'm', max_tokens: 5, messages })?.state.draft).toBe('One\nTwo');
});

it.each([
  ['/v1/embeddings', { model: 'm', input: 'x' }],
  ['/v1/responses', { model: 'm', input: 'x', messages: TURNS }],
  ['/v1/chat/completions', { model: 'm', messages: [] }],
  ['/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
  ['/v1/chat/completions', { model: 'm', messages: [{ role: 'assistant', content: null, tool_calls: [] }] }],
  ['/v1/chat/completions', { model: 'm', messages: [{ role: 'tool', tool_call_id: 'a', content: 'x' }] }],
])('opens nothing that it cannot show as a whole: %s %j', (endpoint, body) => {
  expect(read(endpoint, body)).toBeNull();
});

it('opens nothing that is not JSON', () => {
  expect(readLoggedRequest({ endpoint: '/v1/messages', body: '{"model":' }, () => 1)).toBeNull();
});
