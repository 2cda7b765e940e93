import { createHash } from 'node:crypto';
import type { TokenUsage } from '@tollgate/core/money/money';
import type { AgentScript, PlannedTurn } from './agent-script.ts';
import { sampleOfSchema } from './sample-of-schema.ts';
import type { AnswerWishes, ReadRequest, SeenConversation } from './seen-conversation.ts';

export interface AgentCall {
  id: string;
  name: string;
  json: string;
}

/** The model's response before it is encoded in a dialect. */
export interface AgentAnswer {
  model: string;
  thinks: string | null;
  hides: string | null;
  text: string;
  calls: AgentCall[];
  finish: { type: 'end' | 'calls' | 'length' } | { type: 'stop'; sequence: string };
  usage: TokenUsage;
  /** Reasoning tokens among the output tokens. */
  reasoningTokens: number;
}

const BYTES_PER_TOKEN = 4;

/**
 * The model's next turn in a conversation.
 * @throws Error if the script calls a tool that was not offered
 */
export function planAnswer(
  script: AgentScript,
  request: ReadRequest,
  { model, inputBytes }: { model: string; inputBytes: number },
): AgentAnswer {
  const { seen, wishes } = request;
  const turn = getTurn(script, seen);
  const calls = getCalls(turn, seen, wishes);
  const full = calls.length > 0 ? (turn.says ?? '') : (turn.says ?? defaultText(model, wishes));
  const { text, finish } = cutText(full, wishes);
  const thinks = seen.thinks ? (turn.thinks ?? null) : null;
  const hides = seen.thinks ? (turn.hides ?? null) : null;
  const reasoningTokens = countWords(thinks ?? '') + countWords(hides ?? '');
  const argumentTokens = calls.reduce((sum, { json }) => sum + Math.ceil(json.length / BYTES_PER_TOKEN), 0);
  return {
    model,
    thinks,
    hides,
    text,
    calls,
    finish: calls.length > 0 ? { type: 'calls' } : finish,
    reasoningTokens,
    usage: {
      inputTokens: Math.ceil(inputBytes / BYTES_PER_TOKEN),
      // Grows with each turn, so that no sum over turns is a multiple of one turn.
      cacheReadTokens: seen.turns * 16,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: countWords(text) + reasoningTokens + argumentTokens,
    },
  };
}

function getTurn(script: AgentScript, seen: SeenConversation): PlannedTurn {
  const planned = script.turns[Math.min(seen.turns, script.turns.length - 1)];
  if (planned === undefined) throw new Error('An agent script needs at least one turn');
  return typeof planned === 'function' ? planned(seen) : planned;
}

function getCalls(turn: PlannedTurn, seen: SeenConversation, wishes: AnswerWishes): AgentCall[] {
  const { tools, choice, isParallel } = wishes;
  if (choice === 'none') return [];
  let wanted = turn.calls ?? [];
  const forced = typeof choice === 'object' ? tools.find(({ name }) => name === choice.name) : tools[0];
  const isForced = choice === 'any' || typeof choice === 'object';
  if (
    isForced &&
    forced !== undefined &&
    !wanted.some(({ name }) => choice === 'any' || name === forced.name)
  )
    wanted = [{ name: forced.name, arguments: Object(sampleOfSchema(forced.schema)) }];
  return wanted.slice(0, isParallel ? wanted.length : 1).map((call, index) => {
    if (!tools.some(({ name }) => name === call.name))
      throw new Error(`The script calls ${call.name}, which was not offered`);
    return { id: getId(call.name, seen.turns, index), name: call.name, json: JSON.stringify(call.arguments) };
  });
}

/** Call ids: the same for the same call and place, unique within a conversation. */
function getId(name: string, turn: number, index: number): string {
  return createHash('sha256').update(`${name}:${turn}:${index}`).digest('hex').slice(0, 22);
}

function defaultText(model: string, wishes: AnswerWishes): string {
  if (wishes.schema !== null) return JSON.stringify(sampleOfSchema(wishes.schema));
  return `Hello, this is ${model}, and I am done.`;
}

function cutText(full: string, wishes: AnswerWishes): { text: string; finish: AgentAnswer['finish'] } {
  const found = wishes.stops
    .map((sequence) => ({ sequence, at: full.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0];
  if (found !== undefined)
    return { text: full.slice(0, found.at), finish: { type: 'stop', sequence: found.sequence } };
  const words = splitWords(full);
  if (wishes.maxTokens === null || words.length <= wishes.maxTokens)
    return { text: full, finish: { type: 'end' } };
  return { text: words.slice(0, wishes.maxTokens).join(''), finish: { type: 'length' } };
}

/** A word with its leading spaces is a token. */
export function splitWords(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function countWords(text: string): number {
  return splitWords(text).length;
}
