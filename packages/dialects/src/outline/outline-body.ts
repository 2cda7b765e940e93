import { isUtf8, type Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { PLACES_OF_MEMBER, type MemberPlaces } from '../json/member-places.ts';
import { replaceLoneSurrogates } from '../json/replace-lone-surrogates.ts';
import { scanBody } from '../json/scan-body.ts';
import { getOutlineProgram } from './outline-program.ts';

/** What a body is without the middles of the long texts of its conversation. */
export interface BodyOutline {
  /** JSON. Valid until the next outline. */
  json: Buffer;
  /** Where the members of the body are; null: they are too many. */
  places: MemberPlaces | null;
  /** Number of members of all its objects. */
  memberCount: number;
}

export interface OutlineLimits {
  maxValues: number;
  maxMembers: number;
  /** The same for a body whose names or numbers the program cannot check. */
  maxScannedMembers: number;
  maxScannedValues: number;
  /** Size of the outline, and of a body with halves of surrogate pairs. */
  maxBytes: number;
}

/** Those of a thread, which reads any body. */
export const UNBOUNDED: OutlineLimits = {
  maxValues: BODY_LIMITS.maxValues,
  maxMembers: BODY_LIMITS.maxMembers,
  maxScannedMembers: BODY_LIMITS.maxMembers,
  maxScannedValues: BODY_LIMITS.maxValues,
  maxBytes: BODY_LIMITS.maxBytes,
};

const LONE_SURROGATE = -2;

/**
 * Checks a body as `scanBody` and `JSON.parse` do, at some gigabytes per second, and leaves out most of the texts that
 * nothing reads before they are forwarded: parsing the outline has the same result as parsing the body.
 * @param body halves of surrogate pairs in it are replaced, in place
 * @returns null if the body is refused, or exceeds the limits
 */
export function outlineBody(body: Buffer, limits: OutlineLimits): BodyOutline | null {
  if (!isUtf8(body)) return null;
  const program = getOutlineProgram();
  const { maxValues, maxMembers } = limits;
  if (!program.load(body)) return null;
  let length = program.outline(body.length, maxValues, maxMembers);
  if (length === LONE_SURROGATE) {
    // Much slower than the program.
    if (body.length > limits.maxBytes) return null;
    replaceLoneSurrogates(body);
    if (!program.load(body)) return null;
    length = program.outline(body.length, maxValues, maxMembers);
  }
  if (length < 0 || length > limits.maxBytes) return null;
  const json = program.view(program.getBodyOffset(), length);
  if (program.needsScan() !== 0) {
    const isLong =
      program.countMembers() > limits.maxScannedMembers || program.countValues() > limits.maxScannedValues;
    if (isLong || scanBody(json) !== null) return null;
  }
  return { json, places: readPlaces(), memberCount: program.countMembers() };
}

/**
 * Takes members out of the last outline that no reader of a request reads: of each entry of `messages`, texts that its conversation is not
 * recognized by, ids of calls, and calls of tools. Marks of other providers may be in them, and are to be searched before.
 * @returns JSON. Valid until the next outline
 */
export function takeIdleMembers(): Buffer {
  const program = getOutlineProgram();
  return program.view(program.getBodyOffset(), program.takeIdle());
}

const MAX_PLACES = 256;

function readPlaces(): MemberPlaces | null {
  const program = getOutlineProgram();
  const count = program.countPlaces();
  if (count > MAX_PLACES) return null;
  return [...new Uint32Array(program.memory.buffer, program.getPlacesOffset(), count * PLACES_OF_MEMBER)];
}

/** The lists of texts in the program of this thread. */
const lists = new Map<readonly string[], number>();

/**
 * Finds which texts the last outline contains, in one pass.
 * @param texts up to 32 texts of ASCII of at least three characters; the same few lists in every call
 */
export function findInOutline(texts: readonly string[]): readonly string[] {
  const program = getOutlineProgram();
  let list = lists.get(texts);
  if (list === undefined) {
    list = program.addMarks(texts);
    lists.set(texts, list);
  }
  const found = program.findMarks(list);
  return found === 0 ? [] : texts.filter((_, at) => ((found >>> at) & 1) === 1);
}
