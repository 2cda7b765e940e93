import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import type { InputDescription } from '@tollgate/dialects/input-tokens/describe-input';
import { TokenizerUnavailable } from '@tollgate/dialects/input-tokens/tokenizer-thread';
import type { TranslationTarget } from '../pipeline/encode-for-provider.ts';
import type { ListQuery, ListSource } from '../stored/write-page.ts';
import type { SummaryRequest } from '../compaction/summary-request.ts';
import type { AddedItems } from '../conversations/added-items.ts';
import type { HistoryPart, JoinedBody } from '../stored/join-history.ts';
import type { StateMembers } from '../stored/state-members.ts';
import type { ReadTurn } from '../websocket/read-turn.ts';
import type { Endpoint, ParsedBody } from './parse-body.ts';
import type { ConversationEndpoint } from './describe-body.ts';
import { BodyJobFailed, type BodyWorkers } from './worker/body-workers.ts';
import { unpackTexts } from './worker/packed-texts.ts';
import type { PreparedTranslations } from './worker/translate-body.ts';

/** A body and its owner. */
export interface BodyOwner {
  /** Empty after the call: the result has the bytes, unless they could not be parsed. */
  body: Buffer;
  /** Owners (accounts) take turns. */
  owner: string;
  /** Called at its turn: false if the caller has disconnected. */
  isWanted: () => boolean;
}

/**
 * Parses a large body in a thread.
 * @returns null if the caller disconnected before its turn
 * @throws BodyJobFailed if the thread throws
 */
export async function parseInThread(
  workers: BodyWorkers,
  endpoint: Endpoint,
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<{ body: Buffer; parsed: Result<ParsedBody> }> | null> {
  try {
    const bytes = body.length;
    const job = { kind: 'parse', endpoint, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    return answer && { ok: true, value: { body: toBuffer(answer.body), parsed: answer.parsed } };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/**
 * Reads a large message of a WebSocket in a thread.
 * @returns null if the client disconnected before its turn
 * @throws BodyJobFailed if the thread throws
 */
export async function readTurnInThread(
  workers: BodyWorkers,
  { body, owner, isWanted }: BodyOwner,
): Promise<ReadTurn | null> {
  try {
    const bytes = body.length;
    const job = { kind: 'turn', body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    return answer && { ...answer, body: toBuffer(answer.body) };
  } catch (error) {
    return { body, streamId: null, head: { ok: false, error: getShortage(error) } };
  }
}

/**
 * Translates a large body in a thread, for each of several providers.
 * @returns null if the caller disconnected before its turn
 * @throws BodyJobFailed if the thread throws
 */
export async function translateInThread(
  workers: BodyWorkers,
  { from, targets }: { from: Dialect; targets: readonly TranslationTarget[] },
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<{ body: Buffer; prepared: Result<PreparedTranslations> }> | null> {
  try {
    const bytes = body.length;
    const job = { kind: 'translate', from, targets, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    return answer && { ok: true, value: { body: toBuffer(answer.body), prepared: answer.prepared } };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/**
 * Reads in a thread which members of a large body refer to what the gateway stores.
 * @returns null if the caller disconnected before its turn
 * @throws BodyJobFailed if the thread throws
 */
export async function readStateInThread(
  workers: BodyWorkers,
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<{ body: Buffer; state: Result<StateMembers> }> | null> {
  try {
    const bytes = body.length;
    const job = { kind: 'state', body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    return answer && { ok: true, value: { body: toBuffer(answer.body), state: answer.state } };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/**
 * Joins a body with what it continues, in a thread.
 * @param history its parts are empty afterwards
 * @returns null if the caller disconnected before its turn
 * @throws BodyJobFailed if the thread throws
 */
export async function joinInThread(
  workers: BodyWorkers,
  { history, wantsOwn }: { history: readonly HistoryPart[]; wantsOwn: boolean },
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<JoinedBody> | null> {
  try {
    const bytes = history.reduce((sum, part) => sum + part.bytes.length, body.length);
    const parts = history.map(({ kind, bytes }) => ({ kind, bytes: toOwnMemory(bytes) }));
    const job = { kind: 'join' as const, history: parts, wantsOwn, body: toOwnMemory(body) };
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    if (answer?.joined.ok !== true) return answer?.joined ?? null;
    const { own } = answer.joined.value;
    return { ok: true, value: { body: toBuffer(answer.body), own: own && toBuffer(own) } };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/**
 * Writes items of a large stored list in a thread.
 * @returns null if the caller disconnected before its turn; a result of null as `writeList` does
 * @throws BodyJobFailed if the thread throws
 */
export async function writeListInThread(
  workers: BodyWorkers,
  asked: { source: ListSource; query: ListQuery },
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<Buffer | null> | null> {
  try {
    const bytes = body.length;
    const job = { kind: 'page', ...asked, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    return answer && { ok: true, value: answer.isFound ? toBuffer(answer.body) : null };
  } catch (error) {
    return tooLargeNow(error);
  }
}

/**
 * Takes an item out of a large part of a conversation in a thread.
 * @returns null if the caller disconnected before its turn; a result of null if the part does not have the item
 */
export async function removeInThread(
  workers: BodyWorkers,
  asked: { partId: string; itemId: string },
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<Buffer | null> | null> {
  try {
    const bytes = body.length;
    const job = { kind: 'remove', ...asked, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    return answer && { ok: true, value: answer.isFound ? toBuffer(answer.body) : null };
  } catch (error) {
    return tooLargeNow(error);
  }
}

/**
 * Reads a large request that adds items to a conversation in a thread.
 * @returns null if the caller disconnected before its turn
 */
export async function readAddedInThread(
  workers: BodyWorkers,
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<AddedItems> | null> {
  try {
    const bytes = body.length;
    const job = { kind: 'added', body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    if (answer?.added.ok !== true) return answer?.added ?? null;
    const items = answer.body.byteLength === 0 ? null : toBuffer(answer.body);
    return { ok: true, value: { ...answer.added.value, items } };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/**
 * Turns a large compaction into a request for a summary in a thread.
 * @param isContinued true: the body is such a request already, with what it continues
 * @returns null if the caller disconnected before its turn
 */
export async function writeSummaryRequestInThread(
  workers: BodyWorkers,
  isContinued: boolean,
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<SummaryRequest> | null> {
  try {
    const bytes = body.length;
    const job = { kind: 'summary', isContinued, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, { bytes, owner, isWanted });
    if (answer?.summary.ok !== true) return answer?.summary ?? null;
    const { kept } = answer.summary.value;
    return { ok: true, value: { body: toBuffer(answer.body), kept: toBuffer(kept) } };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/** @throws what no limit caused */
function tooLargeNow(error: unknown): Result<never> {
  getShortage(error);
  return deny('gateway_overloaded', 'The gateway could not read this large input now. Try again.');
}

/**
 * Describes the input of a large body in a thread, for a token count. The body stays here: the thread gets a copy.
 * @returns null if the caller disconnected before its turn
 * @throws TokenizerUnavailable if the thread cannot do it now; BodyJobFailed if it throws
 */
export async function describeInThread(
  workers: BodyWorkers,
  { endpoint, model }: { endpoint: ConversationEndpoint; model: string },
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<InputDescription> | null> {
  // Copied at its turn: no budget covers the copies of all bodies that wait.
  const getJob = () => ({ kind: 'describe', endpoint, model, body: new Uint8Array(body) }) as const;
  let answer;
  try {
    answer = await workers.run(getJob, { bytes: body.length, owner, isWanted });
  } catch (error) {
    throw new TokenizerUnavailable(getShortage(error).message, error);
  }
  if (answer?.described.ok !== true) return answer?.described ?? null;
  const { input, texts, schemas, ...flags } = answer.described.value;
  return {
    ok: true,
    value: { ...flags, input: { ...input, texts: unpackTexts(texts), schemas: unpackTexts(schemas) } },
  };
}

const NOT_READ: GatewayError = {
  code: 'gateway_overloaded',
  message: 'The gateway could not parse this large request body now. Try again, or send less.',
};

/** The body exceeded the time or memory limit of its thread. Such a request counts, or it could be sent without end. */
export const COSTLY_BODY: GatewayError = { ...NOT_READ };

/** @throws any error that is not caused by a limit or the end of the threads: an error of the gateway */
function getShortage(error: unknown): GatewayError {
  if (!(error instanceof BodyJobFailed) || error.failure === 'exception') throw error;
  return error.failure === 'limit' ? COSTLY_BODY : NOT_READ;
}

/** Bytes that can move to a thread: copied if they share their memory with others. */
function toOwnMemory(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(body);
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
