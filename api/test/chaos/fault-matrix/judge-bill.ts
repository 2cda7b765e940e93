import { Buffer } from 'node:buffer';
import type { Seen } from './ask.ts';
import type { Judged } from './judge.ts';
import type { LedgerRow } from './ledger.ts';
import { FIRST, SECOND, type Said } from './said.ts';
import { getExpected, type Trial } from './trial.ts';

const INPUT_NANO_USD = 1_000;
const OUTPUT_NANO_USD = 2_000;
/** The most that an estimate of the small input of a trial may be. */
const MAX_INPUT_TOKENS = 120;

/** The problems of the record of a request, by what its caller received. */
export function judgeBill(
  trial: Trial,
  seen: Seen,
  { end, read }: Judged,
  rows: readonly LedgerRow[],
): string[] {
  const [row] = rows;
  if (row === undefined || rows.length > 1) return [`${rows.length} records`];
  const problems: string[] = [];
  if (row.state !== 'settled') problems.push(row.state);
  if (row.status !== seen.status) problems.push(`recorded status ${row.status}`);
  const cost = BigInt(row.inputTokens * INPUT_NANO_USD + row.outputTokens * OUTPUT_NANO_USD);
  if (row.costNanoUsd !== cost) problems.push(`cost ${row.costNanoUsd} for tokens of ${cost}`);
  const isComplete = end === 'first' || end === 'second';
  if ((row.errorCode === null) !== isComplete) problems.push(`recorded error ${row.errorCode}`);
  if (end === 'error') return row.costNanoUsd === 0n ? problems : [...problems, `billed ${row.costNanoUsd}`];
  const isSecond = end === 'second';
  const provider = `${trial.id}-${isSecond ? 'second' : 'first'}`;
  if (row.provider !== provider) problems.push(`recorded provider ${row.provider}`);
  const { isEstimated = false, said = trial.fault.said ?? FIRST } = getExpected(trial);
  if (isComplete && (isSecond || !isEstimated))
    return [...problems, ...checkExact(row, isSecond ? SECOND : said)];
  return [...problems, ...checkDelivered(row, read.text, isComplete)];
}

function checkExact(row: LedgerRow, said: Said): string[] {
  const isExact = row.inputTokens === said.input && row.outputTokens === said.output;
  const problems = isExact ? [] : [`billed ${row.inputTokens} + ${row.outputTokens}`];
  return row.isEstimated ? [...problems, 'recorded as estimated'] : problems;
}

/** At most what was delivered: a piece is one token, or more if its characters are many. */
function checkDelivered(row: LedgerRow, text: string, isComplete: boolean): string[] {
  const problems: string[] = [];
  const most = Math.max(1, text.split(/(?<=\s)/).length, Math.ceil(Buffer.byteLength(text) / 3));
  const least = text === '' ? 0 : 1;
  if (row.inputTokens < least || row.inputTokens > MAX_INPUT_TOKENS)
    problems.push(`billed input ${row.inputTokens}`);
  if (row.outputTokens < least || row.outputTokens > most)
    problems.push(`billed output ${row.outputTokens} for ${JSON.stringify(text)}`);
  if (isComplete && !row.isEstimated) problems.push('not recorded as estimated');
  return problems;
}
