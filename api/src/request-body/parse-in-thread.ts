import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import type { InputDescription } from '@tollgate/dialects/input-tokens/describe-input';
import { TokenizerUnavailable } from '@tollgate/dialects/input-tokens/tokenizer-thread';
import type { TranslationTarget } from '../pipeline/encode-for-provider.ts';
import type { PageQuery } from '../stored/list-page.ts';
import type { PreviousResponse } from '../stored/join-previous.ts';
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
    const job = { kind: 'parse', endpoint, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, owner, isWanted);
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
    const job = { kind: 'turn', body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, owner, isWanted);
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
    const job = { kind: 'translate', from, targets, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, owner, isWanted);
    return answer && { ok: true, value: { body: toBuffer(answer.body), prepared: answer.prepared } };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/**
 * Finds in a thread which response a large body continues.
 * @returns null if the caller disconnected before its turn
 * @throws BodyJobFailed if the thread throws
 */
export async function findPreviousInThread(
  workers: BodyWorkers,
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<{ body: Buffer; previousId: Result<string | null> }> | null> {
  try {
    const job = { kind: 'previous', body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, owner, isWanted);
    return answer && { ok: true, value: { body: toBuffer(answer.body), previousId: answer.previousId } };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/**
 * Joins a body with the response that it continues, in a thread.
 * @param previous its parts are empty afterwards
 * @returns null if the caller disconnected before its turn
 * @throws BodyJobFailed if the thread throws
 */
export async function joinInThread(
  workers: BodyWorkers,
  { response, input }: PreviousResponse,
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<Buffer> | null> {
  try {
    const previous = { response: toOwnMemory(response), input: toOwnMemory(input) };
    const job = { kind: 'join', previous, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, owner, isWanted);
    if (answer?.joined.ok !== true) return answer?.joined ?? null;
    return { ok: true, value: toBuffer(answer.body) };
  } catch (error) {
    return { ok: false, error: getShortage(error) };
  }
}

/**
 * Writes a page of the items of a large stored input in a thread.
 * @returns null if the caller disconnected before its turn; a page of null if `after` names none of the items
 * @throws BodyJobFailed if the thread throws
 */
export async function writePageInThread(
  workers: BodyWorkers,
  asked: { responseId: string; query: PageQuery },
  { body, owner, isWanted }: BodyOwner,
): Promise<Result<Buffer | null> | null> {
  try {
    const job = { kind: 'page', ...asked, body: toOwnMemory(body) } as const;
    const answer = await workers.run(() => job, owner, isWanted);
    return answer && { ok: true, value: answer.isFound ? toBuffer(answer.body) : null };
  } catch (error) {
    // Throws what no limit caused.
    getShortage(error);
    const message = 'The gateway could not read this large input now. Try again.';
    return deny('gateway_overloaded', message);
  }
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
    answer = await workers.run(getJob, owner, isWanted);
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
