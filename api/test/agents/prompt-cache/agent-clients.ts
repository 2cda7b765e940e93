import { getNextQuestion, getResult, QUESTION, SYSTEM_PROMPT, TOOLS } from './agent-texts.ts';

/** A coding agent that keeps its conversation in one dialect. */
export interface AgentClient {
  path: string;
  headers: Record<string, string>;
  /** The body of the next request. */
  getBody(turn: number): object;
  /** Adds a response, and the result of the tool that it calls or the next question. */
  takeResponse(response: string, turn: number): void;
}

type CreateClient = (model: string) => AgentClient;

interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string }[];
}

/** An agent on an SDK for chat completions: it says nothing of caching. */
export const createChatAgent: CreateClient = (model) => {
  const messages: object[] = [
    { role: 'system', content: SYSTEM_PROMPT },
    { role: 'user', content: QUESTION },
  ];
  return {
    path: '/chat/completions',
    headers: { 'user-agent': 'OpenAI/Python 2.9.0' },
    getBody: () => ({
      model,
      messages,
      tools: TOOLS.map((tool) => ({ type: 'function', function: tool })),
      max_tokens: 1_000,
    }),
    takeResponse(text, turn) {
      const { choices } = JSON.parse(text) as { choices: { message: ChatMessage }[] };
      const message = choices[0]?.message ?? { role: 'assistant', content: '' };
      messages.push(message);
      const calls = message.tool_calls ?? [];
      for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: getResult(turn) });
      if (calls.length === 0) messages.push({ role: 'user', content: getNextQuestion(turn) });
    },
  };
};

interface Item {
  type: string;
  call_id?: string;
}

/** Codex. */
export const createCodex: CreateClient = (model) => {
  const getMessage = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: 'input_text', text }],
  });
  const input: object[] = [getMessage('developer', SYSTEM_PROMPT), getMessage('user', QUESTION)];
  return {
    path: '/responses',
    headers: { 'user-agent': 'codex_cli_rs/0.171.0 (Debian 12.0.0; x86_64) xterm' },
    getBody: () => ({
      model,
      instructions: 'You are Codex.',
      input,
      tools: TOOLS.map((tool) => ({ type: 'function', strict: false, ...tool })),
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning: { effort: 'medium' },
      store: false,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: '01a21104-1a4e-7813-83f1-651b346a3a04',
    }),
    takeResponse(text, turn) {
      const { output } = JSON.parse(text) as { output: Item[] };
      input.push(...output);
      const calls = output.filter(({ type }) => type === 'function_call');
      for (const { call_id: id } of calls)
        input.push({ type: 'function_call_output', call_id: id, output: getResult(turn) });
      if (calls.length === 0) input.push(getMessage('user', getNextQuestion(turn)));
    },
  };
};

interface Block {
  type: string;
  id?: string;
}

const MARK = { cache_control: { type: 'ephemeral' } };
const SESSION = '7b1c8f4e-2f0a-4f6e-9d57-0d6f0a1f3c55';

/** Claude Code: it marks its prefixes, and begins its system prompt with a block that differs in each request. */
export const createClaudeCode: CreateClient = (model) => {
  const messages: { role: string; content: object[] }[] = [
    { role: 'user', content: [{ type: 'text', text: QUESTION }] },
  ];
  return {
    path: '/messages',
    headers: {
      'user-agent': 'claude-cli/2.1.332 (external, cli)',
      'anthropic-version': '2023-06-01',
    },
    getBody: (turn) => ({
      model,
      max_tokens: 1_000,
      system: [
        { type: 'text', text: `x-anthropic-billing-header: cc_version=2.1.332.a1b; cch=${turn + 10_000};` },
        { type: 'text', text: 'You are Claude Code.', ...MARK },
        { type: 'text', text: SYSTEM_PROMPT, ...MARK },
      ],
      messages: messages.map(({ role, content }, at) => ({
        role,
        content: at < messages.length - 1 ? content : markLast(content),
      })),
      tools: TOOLS.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters,
      })),
      metadata: {
        user_id: JSON.stringify({ device_id: 'a'.repeat(64), account_uuid: '', session_id: SESSION }),
      },
    }),
    takeResponse(text, turn) {
      const { content } = JSON.parse(text) as { content: Block[] };
      messages.push({ role: 'assistant', content });
      const results = content
        .filter(({ type }) => type === 'tool_use')
        .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: getResult(turn) }));
      const question = { type: 'text', text: getNextQuestion(turn) };
      messages.push({ role: 'user', content: results.length === 0 ? [question] : results });
    },
  };
};

const markLast = (content: readonly object[]): object[] =>
  content.map((block, at) => (at === content.length - 1 ? { ...block, ...MARK } : block));
