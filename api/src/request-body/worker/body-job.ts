import type { Dialect } from '@tollgate/core/models/dialect';
import type { Result } from '@tollgate/core/errors/errors';
import type { InputDescription } from '@tollgate/dialects/input-tokens/describe-input';
import type { AddedItems } from '../../conversations/added-items.ts';
import type { TranslationTarget } from '../../pipeline/encode-for-provider.ts';
import type { HistoryPart } from '../../stored/join-history.ts';
import type { StateMembers } from '../../stored/state-members.ts';
import type { ListQuery, ListSource } from '../../stored/write-page.ts';
import type { ReadTurn } from '../../websocket/read-turn.ts';
import type { ConversationEndpoint } from '../describe-body.ts';
import type { Endpoint, ParsedBody } from '../parse-body.ts';
import type { PackedTexts } from './packed-texts.ts';
import type { MarkJob, MarkJobAnswer } from './run-mark-job.ts';
import type { ReadJob, ReadJobAnswer } from './run-read-job.ts';
import type { PreparedTranslations } from './translate-body.ts';

/** Work on a large body. Its bytes move to the thread, and return with the result unless they are not needed. */
export type BodyJob =
  | ParseJob
  | TurnJob
  | StateJob
  | JoinJob
  | PageJob
  | RemoveJob
  | AddedJob
  | SummaryJob
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

/** Reads the members of a body that refer to what the gateway stores. */
interface StateJob {
  kind: 'state';
  body: Uint8Array<ArrayBuffer>;
}

/** Joins a body with what it continues. */
export interface JoinJob {
  kind: 'join';
  history: HistoryPart<Uint8Array<ArrayBuffer>>[];
  wantsOwn: boolean;
  body: Uint8Array<ArrayBuffer>;
}

/** Writes items of a stored list, which is not returned. */
interface PageJob {
  kind: 'page';
  source: ListSource;
  query: ListQuery;
  body: Uint8Array<ArrayBuffer>;
}

/** Takes an item out of a part of a conversation. */
interface RemoveJob {
  kind: 'remove';
  partId: string;
  itemId: string;
  body: Uint8Array<ArrayBuffer>;
}

/** Reads a request that adds items to a conversation. */
interface AddedJob {
  kind: 'added';
  body: Uint8Array<ArrayBuffer>;
}

/** Turns a compaction into a request for a summary. */
export interface SummaryJob {
  kind: 'summary';
  /** True: the body is such a request already, with what it continues. Only its messages are listed. */
  isContinued: boolean;
  body: Uint8Array<ArrayBuffer>;
}

interface TranslateJob {
  kind: 'translate';
  from: Dialect;
  targets: readonly TranslationTarget[];
  body: Uint8Array<ArrayBuffer>;
}

/** Has a copy of the body, which is not returned. */
export interface DescribeJob {
  kind: 'describe';
  endpoint: ConversationEndpoint;
  model: string;
  body: Uint8Array<ArrayBuffer>;
}

interface DescribeAnswer {
  described: Result<PackedDescription>;
}

/** An `InputDescription` whose texts are packed. */
export interface PackedDescription extends Omit<InputDescription, 'input'> {
  input: Omit<InputDescription['input'], 'texts' | 'schemas'>;
  texts: PackedTexts;
  schemas: PackedTexts;
}

export interface ParseAnswer {
  /** Empty if it could not be parsed. */
  body: Uint8Array<ArrayBuffer>;
  parsed: Result<ParsedBody>;
}

export interface TurnAnswer extends Omit<ReadTurn, 'body'> {
  body: Uint8Array<ArrayBuffer>;
}

interface StateAnswer {
  body: Uint8Array<ArrayBuffer>;
  state: Result<StateMembers>;
}

export interface JoinAnswer {
  /** Empty if it was not joined. */
  body: Uint8Array<ArrayBuffer>;
  joined: Result<{ own: Uint8Array<ArrayBuffer> | null }>;
}

export interface PageAnswer {
  /** The result; empty if it was not found. */
  body: Uint8Array<ArrayBuffer>;
  isFound: boolean;
}

export interface SummaryAnswer {
  /** Empty if it was refused. */
  body: Uint8Array<ArrayBuffer>;
  summary: Result<{ kept: Uint8Array<ArrayBuffer> }>;
}

interface AddedAnswer {
  /** The items; empty: none. */
  body: Uint8Array<ArrayBuffer>;
  added: Result<Omit<AddedItems, 'items'> & { items: null }>;
}

interface TranslateAnswer {
  body: Uint8Array<ArrayBuffer>;
  prepared: Result<PreparedTranslations>;
}

interface AnswersByKind {
  parse: ParseAnswer;
  turn: TurnAnswer;
  state: StateAnswer;
  join: JoinAnswer;
  page: PageAnswer;
  remove: PageAnswer;
  added: AddedAnswer;
  summary: SummaryAnswer;
  translate: TranslateAnswer;
  describe: DescribeAnswer;
  read: ReadJobAnswer;
  mark: MarkJobAnswer;
}

export type AnswerTo<Job extends BodyJob> = AnswersByKind[Job['kind']];
export type AnyAnswer = AnswerTo<BodyJob>;
