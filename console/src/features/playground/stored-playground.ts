import type { TokenUsage } from '@tollgate/core/money/money';
import { usageExtrasSchema } from '@tollgate/core/money/rates/usage-schema';
import { z } from 'zod';
import { readTab, writeTab } from '../../lib/tab-storage.ts';
import type { AnswerTurn, Turn, UserTurn } from './conversation.ts';
import type { PlaygroundState } from './playground-state.ts';
import { DIALECTS } from './search.ts';

/** Browsers keep about five million characters for a site. */
const MOST_CHARACTERS = 3_000_000;

const imageSchema = z.object({ name: z.string(), mediaType: z.string(), base64: z.string() });
const count = z.int().min(0);
const usageSchema: z.ZodType<TokenUsage> = z.object({
  inputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  cacheWrite1hTokens: count,
  outputTokens: count,
  extras: usageExtrasSchema.optional(),
});
const userSchema: z.ZodType<UserTurn> = z.object({
  kind: z.literal('user'),
  id: z.int(),
  text: z.string(),
  image: imageSchema.nullable(),
  toolResults: z.array(z.object({ callId: z.string(), text: z.string() })),
});
const answerSchema: z.ZodType<AnswerTurn> = z.object({
  kind: z.literal('answer'),
  id: z.int(),
  model: z.string(),
  dialect: z.enum(DIALECTS),
  state: z.enum(['streaming', 'done', 'stopped', 'failed']),
  text: z.string(),
  reasoning: z.string(),
  toolCalls: z.array(
    z.object({ index: z.number(), id: z.string(), name: z.string(), arguments: z.string() }),
  ),
  failure: z.object({ message: z.string(), status: z.number().nullable(), body: z.string() }).nullable(),
  requestId: z.string().nullable(),
  finishReason: z.string().nullable(),
  usage: usageSchema.nullable(),
  firstTokenMs: z.number().nullable(),
  totalMs: z.number().nullable(),
});
const turnSchema: z.ZodType<Turn> = z.union([userSchema, answerSchema]);
const stateSchema: z.ZodType<PlaygroundState> = z.object({
  key: z
    .object({
      secret: z.string(),
      origin: z.enum(['made', 'pasted']),
      expiresAtMs: z.number().nullable(),
    })
    .nullable(),
  system: z.string(),
  tools: z.string(),
  conversations: z.array(z.array(turnSchema)),
  draft: z.string(),
  image: imageSchema.nullable(),
  results: z.record(z.string(), z.string()),
});

/** @returns null if this tab keeps no playground of the user and the account */
export function readStoredPlayground(userId: string, accountId: string): PlaygroundState | null {
  const text = readTab(getKey(userId, accountId));
  if (text === null) return null;
  try {
    const parsed = stateSchema.safeParse(JSON.parse(text));
    return parsed.success ? endStreams(parsed.data) : null;
  } catch {
    return null;
  }
}

/** Keeps a playground in this tab: without images if they are too large, and not at all if that is not enough. */
export function storePlayground(userId: string, accountId: string, state: PlaygroundState): void {
  const key = getKey(userId, accountId);
  const isStored = [state, withoutImages(state)].some((each) => {
    const text = JSON.stringify(each);
    return text.length <= MOST_CHARACTERS && writeTab(key, text);
  });
  if (!isStored) writeTab(key, null);
}

function getKey(userId: string, accountId: string): string {
  return `${userId}:playground:${accountId}`;
}

/** A response whose page was left has been stopped. */
function endStreams(state: PlaygroundState): PlaygroundState {
  const end = (turn: Turn): Turn =>
    turn.kind === 'answer' && turn.state === 'streaming' ? { ...turn, state: 'stopped' } : turn;
  return { ...state, conversations: state.conversations.map((turns) => turns.map(end)) };
}

function withoutImages(state: PlaygroundState): PlaygroundState {
  const strip = (turn: Turn): Turn => (turn.kind === 'user' ? { ...turn, image: null } : turn);
  return { ...state, image: null, conversations: state.conversations.map((turns) => turns.map(strip)) };
}
