import { isDeepStrictEqual } from 'node:util';
import { asObject, parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { getEndpoint, type Seen } from './ask.ts';
import type { Dialect } from './cell.ts';
import type { End } from './fault.ts';
import { readWithSdk, type Read } from './read-with-sdk.ts';
import { FIRST, getText, SECOND, type Said } from './said.ts';
import { getExpected, type Trial } from './trial.ts';

const TERMINATORS: Record<Dialect, RegExp> = {
  'openai-chat': /^data: ?\[DONE\]\r?$/m,
  'anthropic-messages': /"type": ?"message_stop"/,
  'openai-responses': /"type": ?"response\.(?:completed|incomplete)"/,
};
/** Only the dialect's own values, and never a failure of the gateway. */
const OWN_FAILURE = /internal_error|Tollgate failed/;

/** How a trial ended, by what its caller received. */
export interface Judged {
  /** null: in no way that is allowed. */
  end: End | null;
  /** What is wrong; empty: nothing. */
  problems: string[];
  read: Read;
}

/** Judges what a caller received, without any knowledge of the gateway. */
export async function judge(trial: Trial, seen: Seen): Promise<Judged> {
  const { endpoint: dialect, isStream } = trial.cell;
  const read = await readWithSdk(dialect, isStream, seen);
  const problems = seen.broken === null ? [] : [`the connection: ${seen.broken}`];
  if (seen.requestId === '') problems.push('no request id');
  if (OWN_FAILURE.test(seen.text)) problems.push(`a failure of the gateway: ${seen.text.slice(0, 200)}`);
  if (seen.status !== 200)
    return { end: 'error', problems: [...problems, ...checkError(trial, seen, read)], read };
  if (read.error !== null)
    return { end: 'ended', problems: [...problems, ...checkEnded(trial, seen, read)], read };
  const { end, said } = findSaid(trial, read);
  return { end, problems: [...problems, ...checkComplete(trial, seen, { read, said, end })], read };
}

function checkError(trial: Trial, { status, text }: Seen, { error }: Read): string[] {
  const problems = getEndpoint(trial).checkError(parseJsonObject(text));
  if (status < 400 || status > 599) problems.push(`status ${status}`);
  if (error === null) problems.push('the client sees no error');
  return problems;
}

/** A stream that broke off must say so, and what came before must be the beginning of one response. */
function checkEnded(trial: Trial, { text }: Seen, read: Read): string[] {
  const { endpoint: dialect, isStream } = trial.cell;
  const problems = isStream ? [] : ['a whole response is not complete'];
  if (TERMINATORS[dialect].test(text)) problems.push('it breaks off, and has a terminator');
  const said = getExpected(trial).said ?? trial.fault.said ?? FIRST;
  if (!getText(said).startsWith(read.text)) problems.push(`it is no beginning: ${JSON.stringify(read.text)}`);
  const last =
    text
      .trimEnd()
      .split(/\r?\n\r?\n/)
      .at(-1) ?? '';
  const event = parseJsonObject(/^data: ?(.*)$/m.exec(last)?.[1] ?? '');
  const error = asObject(event?.['error']) ?? asObject(asObject(event?.['response'])?.['error']) ?? event;
  if (typeof error?.['message'] !== 'string' || error['message'] === '') problems.push('no error at its end');
  // After pings, an error may be the only event.
  return trial.cell.dialect === dialect || read.text === ''
    ? problems
    : [...problems, ...getEndpoint(trial).checkStream(text, { ending: 'error' })];
}

function findSaid(trial: Trial, read: Read): { end: End | null; said: Said } {
  const first = getExpected(trial).said ?? trial.fault.said ?? FIRST;
  if (isSaid(first, read)) return { end: 'first', said: first };
  return { end: isSaid(SECOND, read) ? 'second' : null, said: SECOND };
}

function isSaid(said: Said, { text, calls }: Read): boolean {
  const wanted = said.calls.map(({ name, arguments: json }) => ({ name, arguments: normalize(json) }));
  const got = calls.map(({ name, arguments: json }) => ({ name, arguments: normalize(json) }));
  return getText(said) === text && isDeepStrictEqual(wanted, got);
}

/** Blanks of JSON may differ, and no JSON at all means no arguments. */
function normalize(json: string): string {
  const value = parseJsonObject(json === '' ? '{}' : json);
  return value === null ? json : JSON.stringify(value);
}

function checkComplete(
  trial: Trial,
  { text }: Seen,
  { read, said, end }: { read: Read; said: Said; end: End | null },
): string[] {
  const { endpoint: dialect, isStream, dialect: from } = trial.cell;
  if (end === null) return [`it looks complete: ${JSON.stringify(read.text)} ${JSON.stringify(read.calls)}`];
  const problems: string[] = [];
  if (isStream && !TERMINATORS[dialect].test(text)) problems.push('no terminator');
  const { isEstimated = false } = getExpected(trial);
  const isKnown = end === 'second' || !isEstimated;
  if (
    isKnown &&
    read.usage !== null &&
    !isDeepStrictEqual(read.usage, { input: said.input, output: said.output })
  )
    problems.push(`usage ${JSON.stringify(read.usage)}`);
  // What a provider writes in the caller's dialect is passed on with its peculiarities.
  const writer = end === 'second' ? trial.secondDialect : from;
  if (writer === dialect) return problems;
  if (!read.isComplete) problems.push('it does not say why it ended');
  const { checkStream, checkWhole } = getEndpoint(trial);
  return [
    ...problems,
    ...(isStream ? checkStream(text, { ending: 'whole' }) : checkWhole(parseJsonObject(text))),
  ];
}
