import { getOutputTokens } from '@tollgate/core/money/money';
import type { Catalogue } from '../../lib/trpc.ts';
import { costOfAnswer } from './compute-answer-cost.ts';
import type { AnswerTurn, Turn } from './conversation.ts';

/** In what a response is better than the compared ones. */
export type Distinction = 'cost' | 'first-token' | 'speed';

/** @returns output tokens per second since the first one; null if that cannot be measured */
export function getSpeed({ usage, firstTokenMs, totalMs, state }: AnswerTurn): number | null {
  if (state !== 'done' || usage === null || firstTokenMs === null || totalMs === null) return null;
  const streamedMs = totalMs - firstTokenMs;
  const tokens = getOutputTokens(usage);
  return streamedMs <= 0 || tokens === 0 ? null : (tokens * 1_000) / streamedMs;
}

/** In what the last response of each conversation is better than all others, once all are complete. */
export function compareAnswers(
  conversations: readonly (readonly Turn[])[],
  catalogue: Catalogue,
): Distinction[][] {
  const answers = conversations.map((turns) => turns.at(-1));
  const complete = answers.filter((turn) => turn?.kind === 'answer' && turn.state === 'done');
  if (complete.length < 2 || complete.length < answers.length) return conversations.map(() => []);
  const cheapest = findLeast(answers, (turn) =>
    turn.usage === null ? null : costOfAnswer(catalogue, turn.model, turn.usage),
  );
  const first = findLeast(answers, ({ firstTokenMs }) => firstTokenMs);
  const fastest = findLeast(answers, (turn) => {
    const speed = getSpeed(turn);
    // As it is shown: a difference that is not seen does not count.
    return speed === null ? null : -Math.round(speed);
  });
  return answers.map((_, place) => [
    ...(place === cheapest ? (['cost'] as const) : []),
    ...(place === first ? (['first-token'] as const) : []),
    ...(place === fastest ? (['speed'] as const) : []),
  ]);
}

/** @returns the place of the smallest value; null if one is unknown or two are equally small */
function findLeast(
  answers: readonly (Turn | undefined)[],
  getValue: (turn: AnswerTurn) => number | bigint | null,
): number | null {
  const values = answers.map((turn) => (turn?.kind === 'answer' ? getValue(turn) : null));
  let least: number | bigint | null = null;
  for (const value of values) {
    if (value === null) return null;
    if (least === null || value < least) least = value;
  }
  return values.filter((value) => value === least).length === 1 ? values.indexOf(least) : null;
}
