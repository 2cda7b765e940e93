import { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import type { Dialect } from '@tollgate/core/models/dialect';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { findHistoryMarks } from '@tollgate/dialects/history/fit-history';
import { readMemberPlaces } from '@tollgate/dialects/json/member-places';
import type { InputDescription } from '@tollgate/dialects/input-tokens/describe-input';
import type { TranslationTarget } from '../../pipeline/encode-for-provider.ts';
import { findPreviousId, joinPrevious } from '../../stored/join-previous.ts';
import type { PageQuery } from '../../stored/list-page.ts';
import { writePage } from '../../stored/write-page.ts';
import { readTurn, type ReadTurn } from '../../websocket/read-turn.ts';
import { describeBody, type ConversationEndpoint } from '../describe-body.ts';
import { expandBody } from '../expand-body.ts';
import { freeMemory } from './free-memory.ts';
import { packTexts, type PackedTexts } from './packed-texts.ts';
import { parseBody, type Endpoint, type ParsedBody } from '../parse-body.ts';
import { runMarkJob, type MarkJob, type MarkJobAnswer } from './run-mark-job.ts';
import { runReadJob, type ReadJob, type ReadJobAnswer } from './run-read-job.ts';
import { translateBody, type PreparedTranslations } from './translate-body.ts';

/** The dialects of the conversations; null: a body has none. */
const HISTORY_DIALECTS: Record<Endpoint, Dialect | null> = {
  '/v1/chat/completions': 'openai-chat',
  '/v1/messages': 'anthropic-messages',
  '/v1/messages/count_tokens': 'anthropic-messages',
  '/v1/responses': 'openai-responses',
  '/v1/responses/input_tokens': 'openai-responses',
  '/v1/embeddings': null,
};

/** Work on a large body. Its bytes move to the thread, and return with the result unless they are not needed. */
export type BodyJob =
  | ParseJob
  | TurnJob
  | PreviousJob
  | JoinJob
  | PageJob
  | TranslateJob
  | DescribeJob
  | ReadJob
  | MarkJob;

interface ParseJob {
  kind: 'parse';
  endpoint: Endpoint;
  body: Uint8Array<ArrayBuffer>;
}

/** Reads a message of a WebSocket. */
interface TurnJob {
  kind: 'turn';
  body: Uint8Array<ArrayBuffer>;
}

/** Finds the response that a body continues. */
interface PreviousJob {
  kind: 'previous';
  body: Uint8Array<ArrayBuffer>;
}

/** Joins a body with the response that it continues. */
interface JoinJob {
  kind: 'join';
  previous: Record<'response' | 'input', Uint8Array<ArrayBuffer>>;
  body: Uint8Array<ArrayBuffer>;
}

/** Writes a page of the items of a stored input, which is not returned. */
interface PageJob {
  kind: 'page';
  responseId: string;
  query: PageQuery;
  body: Uint8Array<ArrayBuffer>;
}

interface TranslateJob {
  kind: 'translate';
  from: Dialect;
  targets: readonly TranslationTarget[];
  body: Uint8Array<ArrayBuffer>;
}

/** Has a copy of the body, which is not returned. */
interface DescribeJob {
  kind: 'describe';
  endpoint: ConversationEndpoint;
  model: string;
  body: Uint8Array<ArrayBuffer>;
}

interface DescribeAnswer {
  described: Result<PackedDescription>;
}

/** An `InputDescription` whose texts are packed. */
interface PackedDescription extends Omit<InputDescription, 'input'> {
  input: Omit<InputDescription['input'], 'texts' | 'schemas'>;
  texts: PackedTexts;
  schemas: PackedTexts;
}

interface ParseAnswer {
  /** Empty if it could not be parsed. */
  body: Uint8Array<ArrayBuffer>;
  parsed: Result<ParsedBody>;
}

interface TurnAnswer extends Omit<ReadTurn, 'body'> {
  body: Uint8Array<ArrayBuffer>;
}

interface PreviousAnswer {
  body: Uint8Array<ArrayBuffer>;
  previousId: Result<string | null>;
}

interface JoinAnswer {
  /** Empty if it was not joined. */
  body: Uint8Array<ArrayBuffer>;
  joined: Result<null>;
}

interface PageAnswer {
  /** The page; empty if it was not found. */
  body: Uint8Array<ArrayBuffer>;
  isFound: boolean;
}

interface TranslateAnswer {
  body: Uint8Array<ArrayBuffer>;
  prepared: Result<PreparedTranslations>;
}

interface AnswersByKind {
  parse: ParseAnswer;
  turn: TurnAnswer;
  previous: PreviousAnswer;
  join: JoinAnswer;
  page: PageAnswer;
  translate: TranslateAnswer;
  describe: DescribeAnswer;
  read: ReadJobAnswer;
  mark: MarkJobAnswer;
}

export type AnswerTo<Job extends BodyJob> = AnswersByKind[Job['kind']];
export type AnyAnswer = AnswerTo<BodyJob>;

/** Runs a job in the calling thread. */
export function runBodyJob(job: BodyJob): AnyAnswer {
  if (job.kind === 'read') return runReadJob(job);
  if (job.kind === 'mark') return runMarkJob(job);
  const { body } = job;
  const json = asBuffer(body);
  if (job.kind === 'describe') return { described: describe(job, json) };
  if (job.kind === 'parse') {
    return parse(job.endpoint, json, body);
  }
  if (job.kind === 'turn') return readMessage(json, body);
  if (job.kind === 'previous') return { body, previousId: findPreviousId(json) };
  if (job.kind === 'join') return join(json, job);
  if (job.kind === 'page') {
    const page = writePage(json, job.responseId, job.query);
    freeMemory(body);
    return { body: page === null ? new Uint8Array(0) : new Uint8Array(page), isFound: page !== null };
  }
  return { body, prepared: translateBody(job.from, json, job.targets) };
}

/** The buffers to transfer to the thread with a job. */
export function getTransfers(job: BodyJob): ArrayBuffer[] {
  if (job.kind === 'read') return job.pieces.map(({ buffer }) => buffer);
  const { response, input } = job.kind === 'join' ? job.previous : {};
  return [job.body, response, input].flatMap((bytes) => bytes?.buffer ?? []);
}

/** The buffers to transfer back with an answer. */
export function listTransfers(answer: AnyAnswer): ArrayBuffer[] {
  if ('pieces' in answer) return answer.pieces.map(({ buffer }) => buffer);
  if ('described' in answer)
    return answer.described.ok
      ? [answer.described.value.texts.ends.buffer, answer.described.value.schemas.ends.buffer]
      : [];
  const transfers = [answer.body.buffer];
  if ('prepared' in answer && answer.prepared.ok)
    for (const { encoded } of answer.prepared.value.translations)
      if (encoded.ok) transfers.push(encoded.value.body.buffer);
  return transfers;
}

function describe({ endpoint, model }: DescribeJob, json: Buffer): Result<PackedDescription> {
  const described = describeBody(endpoint, json, model);
  if (!described.ok) return described;
  const { input, ...flags } = described.value;
  const { texts, schemas, ...counts } = input;
  return {
    ok: true,
    value: { ...flags, input: counts, texts: packTexts(texts), schemas: packTexts(schemas) },
  };
}

function readMessage(message: Buffer, own: TurnAnswer['body']): TurnAnswer {
  const { body, ...read } = readTurn(message);
  if (body === message) return { ...read, body: own };
  freeMemory(own);
  return { ...read, body: new Uint8Array(body) };
}

function join(body: Buffer, { previous, body: own }: JoinJob): JoinAnswer {
  const { response, input } = previous;
  const joined = joinPrevious(body, { response: asBuffer(response), input: asBuffer(input) });
  const whole = joined.ok ? new Uint8Array(joined.value) : new Uint8Array(0);
  for (const bytes of [own, response, input]) freeMemory(bytes);
  return { body: whole, joined: joined.ok ? { ok: true, value: null } : joined };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function parse(endpoint: Endpoint, json: Buffer, body: ParseAnswer['body']): ParseAnswer {
  const expanded = expandBody(endpoint, json);
  const isSame = expanded.ok && expanded.value === json;
  const whole = expanded.ok && !isSame ? new Uint8Array(expanded.value) : body;
  const parsed = expanded.ok ? parseWhole(endpoint, isSame ? json : Buffer.from(whole.buffer)) : expanded;
  if (parsed.ok && isSame) return { body, parsed };
  freeMemory(body);
  // Freed memory cannot be transferred.
  return { body: parsed.ok ? whole : new Uint8Array(0), parsed };
}

function parseWhole(endpoint: Endpoint, json: Buffer): Result<ParsedBody> {
  const parsed = parseBody(endpoint, json);
  if (!parsed.ok) return parsed;
  const { maxMemberValues } = BODY_LIMITS;
  if (countValues(parsed.value.classified, maxMemberValues) <= maxMemberValues)
    return { ok: true, value: { ...parsed.value, ...indexBody(endpoint, json) } };
  const message = `The request body holds more than ${maxMemberValues} values outside of its messages.`;
  return deny('invalid_request', message);
}

/** What would take long to find in a large body on the event loop. */
function indexBody(endpoint: Endpoint, json: Buffer): Pick<ParsedBody, 'places' | 'historyMarks'> {
  const dialect = HISTORY_DIALECTS[endpoint];
  return {
    places: readMemberPlaces(json),
    historyMarks: dialect === null ? [] : findHistoryMarks(json, dialect),
  };
}

/** Counts values, including nested ones, until there are more than `most`. */
function countValues(root: unknown, most: number): number {
  let count = 0;
  const open: unknown[] = [root];
  while (open.length > 0 && count <= most) {
    const value = open.pop();
    count += 1;
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push(inner);
  }
  return count;
}
