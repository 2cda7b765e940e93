/** The first requests of coding agents, with the members, tools and sizes of recorded ones and neutral text. */
const SENTENCE = 'Read the file before you change it, keep the change small, and report what you did. ';

function getText(bytes: number): string {
  return SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length)).slice(0, bytes);
}

const getSchema = (bytes: number) => ({
  type: 'object',
  properties: { input: { type: 'string', description: getText(bytes) } },
  required: ['input'],
  additionalProperties: false,
});
const getFunction = (name: string, bytes: number) => ({
  type: 'function',
  name,
  description: getText(bytes),
  strict: false,
  parameters: getSchema(200),
});

/** Tools of Codex 0.169 with models that it knows: with `tool_search` and `web_search`. */
export const CODEX_TOOLS = [
  ...['exec_command', 'write_stdin', 'request_user_input', 'view_image', 'create_goal'].map((name) =>
    getFunction(name, 900),
  ),
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files. This is a FREEFORM tool.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch\nbegin_patch: "*** Begin"' },
  },
  { type: 'tool_search', execution: 'client', description: getText(700), parameters: getSchema(100) },
  { type: 'web_search', external_web_access: true, search_content_types: ['text', 'image'] },
];

/** The same with models that it does not know: with a namespace. */
export const CODEX_NAMESPACE_TOOLS = [
  getFunction('exec_command', 900),
  {
    type: 'namespace',
    name: 'multi_agent_v1',
    description: 'Tools for spawning and managing sub-agents.',
    tools: ['close_agent', 'send_input', 'spawn_agent', 'wait_agent'].map((name) => getFunction(name, 2_200)),
  },
  { type: 'web_search', external_web_access: true },
];

const getItem = (role: string, ...bytes: number[]) => ({
  type: 'message',
  id: 'msg_01a21104-1a4e-7813-83f1-651b346a3a04',
  role,
  content: bytes.map((size) => ({ type: 'input_text', text: getText(size) })),
  internal_chat_message_metadata_passthrough: { turn_id: 'turn_1' },
});

/** Codex's "hello". */
export function getCodexRequest(model: string, tools: readonly object[]): object {
  return {
    model,
    input: [getItem('developer', 21_300), getItem('developer', 4_700, 400, 100), getItem('user', 440, 90)],
    tools,
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { effort: 'medium' },
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '01a21104-1a4e-7813-83f1-651b346a3a04',
    text: { verbosity: 'low' },
    client_metadata: { session: getText(1_000) },
  };
}

const cached = { cache_control: { type: 'ephemeral' } };

/** Claude Code 2.1's first request. */
export function getClaudeCodeRequest(model: string): object {
  return {
    model,
    max_tokens: 64_000,
    system: [
      { type: 'text', text: getText(74) },
      { type: 'text', text: getText(62), ...cached },
      { type: 'text', text: getText(28_000), ...cached },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: getText(600) }] },
      { role: 'user', content: [{ type: 'text', text: getText(10_000), ...cached }] },
    ],
    tools: ['Agent', 'Bash', 'Edit', 'Read', 'Skill', 'Write'].map((name) => ({
      name,
      description: getText(7_500),
      input_schema: getSchema(300),
    })),
    metadata: { user_id: 'user' },
    thinking: { type: 'adaptive', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
  };
}
