/**
 * Valid requests that use every documented member. A member that another one supersedes has a separate body: for example,
 * the decoder ignores `user` if `safety_identifier` is set.
 */
const messages = [{ role: 'user', content: 'Hi' }];
const f = { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true };

export const OPENAI_BODIES: readonly { name: string; body: Record<string, unknown> }[] = [
  {
    name: 'settings',
    body: {
      model: 'm',
      messages,
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 5,
      temperature: 1,
      top_p: 1,
      top_k: 1,
      seed: 1,
      presence_penalty: 1,
      frequency_penalty: 1,
      logit_bias: { 1: 1 },
      stop: ['a'],
      n: 2,
      logprobs: true,
      top_logprobs: 2,
      reasoning_effort: 'low',
      verbosity: 'low',
      modalities: ['text', 'audio'],
      service_tier: 'flex',
      safety_identifier: 's',
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      something_new: { a: 1 },
    },
  },
  {
    name: 'what other providers take, and older names',
    body: {
      model: 'm',
      messages,
      max_tokens: 5,
      user: 'u',
      stop: 'a',
      reasoning: { effort: 'low', max_tokens: 5, enabled: true },
      functions: [f],
      function_call: { name: 'f' },
    },
  },
  {
    name: 'tools',
    body: {
      model: 'm',
      messages,
      tools: [{ type: 'function', function: f }, { function: { name: 'g' } }, { type: 'custom', custom: {} }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      web_search_options: {},
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', description: 'd', schema: {}, strict: true },
      },
    },
  },
  {
    name: 'allowed tools',
    body: {
      model: 'm',
      messages,
      tools: [{ type: 'function', function: f }],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      response_format: { type: 'json_object' },
    },
  },
  {
    name: 'what users say',
    body: {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            { type: 'image_url', image_url: 'HTTPS://example.com/a.png' },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
            { type: 'file', file: { file_data: 'AAAA', filename: 'a.pdf' } },
            { type: 'file', file: { file_id: 'file-1' } },
            { type: 'something_new', value: 1 },
          ],
        },
      ],
    },
  },
  {
    name: 'calls and their results',
    body: {
      model: 'm',
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          name: 'bob',
          content: [
            { type: 'text', text: 'a' },
            { type: 'refusal', refusal: 'no' },
          ],
          refusal: 'no',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } },
            { id: 'c2', type: 'custom', custom: { name: 'g', input: 'x' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
        { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'done' }] },
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'done' },
      ],
    },
  },
];

const ask = { model: 'm', max_tokens: 5 };

export const ANTHROPIC_BODIES: readonly { name: string; body: Record<string, unknown> }[] = [
  {
    name: 'settings',
    body: {
      ...ask,
      messages,
      system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '5m' } }],
      stream: true,
      stop_sequences: ['a'],
      temperature: 1,
      top_p: 1,
      top_k: 1,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      something_new: { a: 1 },
    },
  },
  {
    name: 'tools',
    body: {
      ...ask,
      messages,
      tools: [
        { name: 'f', description: 'd', input_schema: { type: 'object' }, strict: true },
        { type: 'custom', name: 'g', input_schema: {} },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
    },
  },
  {
    name: 'what users say',
    body: {
      ...ask,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
            {
              type: 'document',
              source: { type: 'file', file_id: 'file-1' },
              title: 't',
              citations: { enabled: true },
            },
            { type: 'document', source: { type: 'text', data: 'a' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'a', signature: 's' },
            { type: 'redacted_thinking', data: 'd' },
            { type: 'tool_use', id: 'c1', name: 'f', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              content: [{ type: 'text', text: 'a' }],
              is_error: true,
            },
          ],
        },
      ],
    },
  },
];

export const RESPONSES_BODIES: readonly { name: string; body: Record<string, unknown> }[] = [
  {
    name: 'settings',
    body: {
      model: 'm',
      input: 'Hi',
      instructions: 'Be kind.',
      stream: true,
      stream_options: {},
      max_output_tokens: 20,
      temperature: 1,
      top_p: 1,
      top_logprobs: 2,
      text: { format: { type: 'json_schema', name: 'n', schema: {}, strict: true }, verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      service_tier: 'flex',
      safety_identifier: 's',
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      truncation: 'disabled',
      store: false,
      background: false,
      something_new: { a: 1 },
    },
  },
  {
    name: 'tools',
    body: {
      model: 'm',
      input: [{ role: 'user', content: 'Hi' }],
      user: 'u',
      tools: [{ type: 'function', ...f }, { type: 'web_search' }, { type: 'custom', name: 'g' }],
      tool_choice: { type: 'function', name: 'f' },
      parallel_tool_calls: false,
      text: { format: { type: 'text' } },
    },
  },
  {
    name: 'allowed tools',
    body: {
      model: 'm',
      input: 'Hi',
      tools: [{ type: 'function', ...f }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    },
  },
  {
    name: 'items',
    body: {
      model: 'm',
      input: [
        { role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
            { type: 'input_image', file_id: 'file-1' },
            { type: 'input_file', file_data: 'AAAA', filename: 'a.pdf' },
            { type: 'input_file', file_url: 'https://example.com/a.pdf' },
            { type: 'input_file', file_id: 'file-1' },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
            { type: 'input_something_new', value: 1 },
          ],
        },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'x' },
        {
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'a', annotations: [] },
            { type: 'refusal', refusal: 'no' },
          ],
        },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'done' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'done' }] },
        { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } },
      ],
    },
  },
];
