import type { TokenUsage } from '@tollgate/core/money/money';
import type { Dialect } from './search.ts';

/** An image attached to a message. */
export interface ImageInput {
  name: string;
  mediaType: string;
  /** Base64, without the head of a data URL. */
  base64: string;
}

/** A tool result as typed. */
interface ToolResult {
  callId: string;
  text: string;
}

export interface UserTurn {
  kind: 'user';
  id: number;
  text: string;
  image: ImageInput | null;
  toolResults: ToolResult[];
}

export interface ToolCall {
  /** Its index among the content blocks, which its arguments refer to. */
  index: number;
  id: string;
  name: string;
  /** JSON, whole only when the answer is. */
  arguments: string;
}

/** An error before or during a response. */
export interface Failure {
  message: string;
  /** null: no response, or the stream was interrupted. */
  status: number | null;
  /** Full response body for display; '' if empty. */
  body: string;
}

/** State of a response. */
type AnswerState = 'streaming' | 'done' | 'stopped' | 'failed';

export interface AnswerTurn {
  kind: 'answer';
  id: number;
  model: string;
  dialect: Dialect;
  state: AnswerState;
  text: string;
  reasoning: string;
  toolCalls: ToolCall[];
  failure: Failure | null;
  requestId: string | null;
  /** The provider's value; null: not reported. */
  finishReason: string | null;
  /** null: not reported (yet). */
  usage: TokenUsage | null;
  firstTokenMs: number | null;
  totalMs: number | null;
}

export type Turn = UserTurn | AnswerTurn;

/**
 * The conversation with the model at a place. A model that was just added starts with what was said to the first one, up
 * to the last message of the user.
 */
export function getConversation(conversations: readonly Turn[][], place: number): Turn[] {
  const [first = []] = conversations;
  return conversations[place] ?? first.slice(0, first.findLastIndex(({ kind }) => kind === 'user') + 1);
}

/** The name of a tool result: calls of different models can have the same id. */
export function getResultKey(place: number, callId: string): string {
  return `${place} ${callId}`;
}

export function isStreaming(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  return last?.kind === 'answer' && last.state === 'streaming';
}

/** Tool calls that wait for results. */
export function openToolCalls(turns: readonly Turn[]): ToolCall[] {
  const last = turns.at(-1);
  return last?.kind === 'answer' && last.state === 'done' ? last.toolCalls : [];
}

/** Turns sent to the model; empty responses are omitted. */
export function saidTurns(turns: readonly Turn[]): Turn[] {
  return turns.filter((turn) => turn.kind === 'user' || turn.text !== '' || isWholeCall(turn));
}

/** A tool call with incomplete arguments is not sent. */
export function isWholeCall(turn: AnswerTurn): boolean {
  return turn.state === 'done' && turn.toolCalls.length > 0;
}
