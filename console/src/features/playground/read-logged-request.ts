import { z } from 'zod';
import type { AnswerTurn, Turn, UserTurn } from './conversation.ts';
import type { PlaygroundState } from './playground-state.ts';
import type { Dialect, PlaygroundSearch } from './search.ts';

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const content = z.union([
  z.string(),
  z.array(textPart).transform((parts) => parts.map(({ text }) => text).join('\n')),
]);
const message = z.strictObject({ role: z.enum(['system', 'developer', 'user', 'assistant']), content });

const requestSchema = z.object({
  model: z.string(),
  system: content.optional(),
  messages: z.array(message).min(1),
  tools: z.array(z.unknown()).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).max(1_000_000).optional(),
  max_completion_tokens: z.int().min(1).max(1_000_000).optional(),
});

const DIALECTS: Readonly<Record<string, Dialect>> = {
  '/v1/chat/completions': 'openai',
  '/v1/messages': 'anthropic',
};

/** A logged request as the playground shows it. */
export interface LoggedConversation {
  search: PlaygroundSearch;
  state: Pick<PlaygroundState, 'system' | 'tools' | 'conversations' | 'draft' | 'image' | 'results'>;
}

/**
 * Reads a logged request for the playground. The last message of the user becomes the draft.
 * @param nextId the id of the next turn
 * @returns null if the playground cannot show the whole conversation: it has images, files, tool calls or another format
 */
export function readLoggedRequest(
  { endpoint, body }: { endpoint: string; body: string },
  nextId: () => number,
): LoggedConversation | null {
  const dialect = DIALECTS[endpoint];
  const parsed = requestSchema.safeParse(parse(body));
  if (dialect === undefined || !parsed.success) return null;
  const { model, messages, tools, temperature, system } = parsed.data;
  const max = parsed.data.max_completion_tokens ?? parsed.data.max_tokens;
  const isInstruction = ({ role }: { role: string }) => role === 'system' || role === 'developer';
  const instructions = messages.filter(isInstruction).map(({ content: text }) => text);
  const said = messages.filter((each) => !isInstruction(each));
  const last = said.at(-1);
  const draft = last?.role === 'user' ? last.content : '';
  const earlier = last?.role === 'user' ? said.slice(0, -1) : said;
  const turns = earlier.map(({ role, content: text }): Turn =>
    role === 'user' ? toUserTurn(nextId(), text) : toAnswerTurn(nextId(), { text, model, dialect }),
  );
  return {
    search: { model, dialect, temperature, max },
    state: {
      system: [...(system === undefined ? [] : [system]), ...instructions].join('\n\n'),
      tools: tools === undefined || tools.length === 0 ? '' : JSON.stringify(tools, null, 2),
      conversations: [turns],
      draft,
      image: null,
      results: {},
    },
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function toUserTurn(id: number, text: string): UserTurn {
  return { kind: 'user', id, text, image: null, toolResults: [] };
}

function toAnswerTurn(id: number, said: Pick<AnswerTurn, 'text' | 'model' | 'dialect'>): AnswerTurn {
  return {
    kind: 'answer',
    id,
    ...said,
    state: 'done',
    reasoning: '',
    toolCalls: [],
    failure: null,
    requestId: null,
    finishReason: null,
    usage: null,
    firstTokenMs: null,
    totalMs: null,
  };
}
