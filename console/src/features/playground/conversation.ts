import type { TokenUsage } from '@tollgate/core/money/money';
import type { Dialect } from './search.ts';

/** A picture that goes along with a message. */
export interface ImageInput {
  name: string;
  mediaType: string;
  /** Base64, without the head of a data URL. */
  base64: string;
}

/** What a tool answered, as the person typed it. */
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
  /** Its place among the blocks of the answer, by which its arguments are told. */
  index: number;
  id: string;
  name: string;
  /** JSON, whole only when the answer is. */
  arguments: string;
}

/** What came instead of an answer, or broke it off. */
export interface Failure {
  message: string;
  /** null: no one answered, or the stream broke off. */
  status: number | null;
  /** All that was answered, for reading; '' if nothing was. */
  body: string;
}

/** How an answer ended, or that it has not yet. */
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
  /** As the provider named it; null: not told. */
  finishReason: string | null;
  /** null: not told (yet). */
  usage: TokenUsage | null;
  firstTokenMs: number | null;
  totalMs: number | null;
}

export type Turn = UserTurn | AnswerTurn;

/** The calls that wait for the person to say what their tools answer. */
export function openToolCalls(turns: readonly Turn[]): ToolCall[] {
  const last = turns.at(-1);
  return last?.kind === 'answer' && last.state === 'done' ? last.toolCalls : [];
}

/** What of a conversation a model is told: an answer of which nothing came is left out. */
export function saidTurns(turns: readonly Turn[]): Turn[] {
  return turns.filter((turn) => turn.kind === 'user' || turn.text !== '' || isWholeCall(turn));
}

/** A call that was cut off holds half of its arguments, and no one can answer it. */
export function isWholeCall(turn: AnswerTurn): boolean {
  return turn.state === 'done' && turn.toolCalls.length > 0;
}
