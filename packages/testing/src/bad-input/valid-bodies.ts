type Body = Record<string, unknown>;

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const chatTool = {
  type: 'function',
  function: { name: 'get_weather', description: 'Weather', parameters: schema },
};
const messagesTool = { name: 'get_weather', description: 'Weather', input_schema: schema };

/** Requests of `POST /v1/chat/completions` that between them use most of its members. */
const CHAT: readonly Body[] = [
  {
    max_tokens: 64,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', name: 'ann', content: [{ type: 'text', text: 'Hi' }] },
    ],
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END', 'STOP'],
    user: 'ann',
    metadata: { team: 'a' },
  },
  {
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Use tools.' }] },
      { role: 'user', content: 'Weather in Paris?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      { role: 'assistant', content: 'It rains.', refusal: null },
      { role: 'user', content: 'And now?' },
    ],
    tools: [chatTool],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
    parallel_tool_calls: false,
    max_completion_tokens: 100,
  },
  {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, detail: 'low' } },
        ],
      },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    reasoning_effort: 'low',
    service_tier: 'auto',
    n: 1,
  },
];

/** Requests of `POST /v1/messages` that between them use most of its members. */
const MESSAGES: readonly Body[] = [
  {
    max_tokens: 64,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    temperature: 0.5,
    stop_sequences: ['END'],
    metadata: { user_id: 'ann' },
  },
  {
    max_tokens: 2_000,
    messages: [
      { role: 'user', content: 'Weather in Paris?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [{ type: 'text', text: 'Rain' }],
            is_error: false,
          },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
    tools: [messagesTool],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 1024 },
  },
  {
    max_tokens: 100,
    system: 'Look closely.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'text', text: 'What is this?' },
        ],
      },
    ],
    output_config: { format: { type: 'json_schema', schema } },
    top_k: 5,
  },
];

/** Requests of `POST /v1/responses` that between them use most of its members. */
const RESPONSES: readonly Body[] = [
  {
    input: 'Hi',
    instructions: 'Be brief.',
    max_output_tokens: 64,
    stream: true,
    temperature: 0.5,
    store: false,
  },
  {
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather in Paris?' }] },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'It rains.', annotations: [] }] },
      {
        role: 'user',
        content: [{ type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'low' }],
      },
    ],
    tools: [
      { type: 'function', name: 'get_weather', description: 'Weather', parameters: schema, strict: true },
    ],
    tool_choice: { type: 'function', name: 'get_weather' },
    parallel_tool_calls: false,
    text: { format: { type: 'json_schema', name: 'answer', schema, strict: true }, verbosity: 'low' },
    reasoning: { effort: 'low', summary: 'auto' },
    metadata: { team: 'a' },
    store: false,
  },
];

/** Valid requests, by dialect; the sender adds the `model`. */
export const VALID_BODIES = {
  'openai-chat': CHAT,
  'anthropic-messages': MESSAGES,
  'openai-responses': RESPONSES,
} as const satisfies Record<string, readonly Body[]>;
