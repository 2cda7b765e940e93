import { Buffer } from 'node:buffer';
import { endOfString } from './end-of-string.ts';
import { endOfValue } from './end-of-value.ts';
import { writeWithoutLeftOut } from './left-out.ts';
import { asObject } from './parse-object.ts';
import { skipToValue } from './skip-to-value.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
/** Behind a number or a word. */
const DELIMITERS: ReadonlySet<number | undefined> = new Set([...Buffer.from(',]} \t\r\n'), undefined]);

/** A value of a JSON text that is replaced: its first byte, the offset behind it, and its new JSON. */
export interface Change {
  start: number;
  end: number;
  json: string;
}

/**
 * Finds the smallest values of a JSON text that differ.
 * @param before the value of the text
 * @returns null if an object with a difference has two members of one name
 */
export function findChanges(json: Buffer, before: unknown, after: unknown): Change[] | null {
  const changes: Change[] = [];
  return visit(skipToValue(json, 0), before, after) < 0 ? null : changes;

  /** @returns the offset behind the value; -1: it has two members of one name */
  function visit(start: number, old: unknown, changed: unknown): number {
    const end = endOfAny(json, start);
    if (isSame(old, changed)) return end;
    if (Array.isArray(old) && Array.isArray(changed) && old.length === changed.length) {
      let at = start;
      for (const [index, entry] of old.entries()) {
        at = visit(skipToNext(json, at + (index === 0 ? 1 : 0)), entry, changed[index]);
        if (at < 0) return -1;
      }
      return end;
    }
    const [members, changedMembers] = [asObject(old), asObject(changed)];
    if (
      members !== null &&
      changedMembers !== null &&
      isSame(Object.keys(members), Object.keys(changedMembers))
    )
      return visitMembers(start, members, changedMembers);
    changes.push({ start, end, json: writeWithoutLeftOut(changed) });
    return end;
  }

  function visitMembers(
    start: number,
    old: Record<string, unknown>,
    changed: Record<string, unknown>,
  ): number {
    let left = Object.keys(old).length;
    let at = skipToNext(json, start + 1);
    for (; json[at] === QUOTE; at = skipToNext(json, at)) {
      const nameEnd = endOfString(json, at);
      const name = JSON.parse(json.toString('utf8', at, nameEnd)) as string;
      left -= 1;
      if (left < 0) return -1;
      at = visit(skipToValue(json, nameEnd), old[name], changed[name]);
      if (at < 0) return -1;
    }
    return at + 1;
  }
}

/** Compares values that were parsed. */
function isSame(old: unknown, changed: unknown): boolean {
  return old === changed || (typeof old === 'object' && JSON.stringify(old) === JSON.stringify(changed));
}

function endOfAny(json: Buffer, start: number): number {
  const end = endOfValue(json, start);
  if (end > start) return end;
  let at = start;
  while (!DELIMITERS.has(json[at])) at += 1;
  return at;
}

/** @returns the offset of the next name, entry or closing bracket, past a comma */
function skipToNext(json: Buffer, start: number): number {
  const at = skipToValue(json, start);
  return json[at] === COMMA ? skipToValue(json, at + 1) : at;
}
