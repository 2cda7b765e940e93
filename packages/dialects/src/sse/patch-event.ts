import { Buffer } from 'node:buffer';
import { findChanges } from '../json/find-changes.ts';
import { parseJsonObject } from '../json/parse-object.ts';
import { readEventAround } from './event-around.ts';
import type { LargeBlock } from './event-blocks.ts';
import type { EventStore } from './event-store.ts';
import type { LargeEvent } from './large-event.ts';
import { withoutLeftOut } from './replace-events.ts';

/** A stretch of bytes that is replaced. */
interface Patch {
  start: number;
  end: number;
  text: string;
}

/**
 * Applies to a large event what was redacted in its outline. All other bytes stay as they came, including the values that
 * the outline left out. Lines that were not read are removed.
 * @param redacted the outline after it was redacted, one character for each byte; null or blank: nothing is left of it
 * @returns the event, null if nothing is left; if the places cannot be found, the redacted outline in place of it
 */
export function patchEvent(block: LargeBlock, redacted: string | null): EventStore | string | null {
  const isLeft = redacted !== null && redacted.trim() !== '';
  const patches = isLeft ? findPatches(block.event, redacted) : null;
  if (patches !== null) return patchStore(block.store, patches);
  block.store.release();
  return isLeft ? withoutLeftOut(redacted) : null;
}

/** @returns null: the places cannot be found */
function findPatches(event: LargeEvent, redacted: string): Patch[] | null {
  const block = Buffer.from(redacted, 'latin1');
  const [before, after] = [parseJsonObject(event.data), parseJsonObject(readEventAround(block, 0).data)];
  if (before === null || after === null || event.lines === null) return null;
  const changes = findChanges(event.dataBytes, before, after);
  if (changes === null) return null;
  const kept = new Set(block.toString('utf8').split('\n'));
  const patches: Patch[] = event.lines
    .filter(({ text }) => text === null || !kept.has(text))
    .map(({ start, end }) => ({ start, end, text: '' }));
  for (const { start, end, json } of changes) {
    const [from, to] = [event.findSource(start), event.findSource(end)];
    if (from === null || to === null) return null;
    patches.push({ start: from, end: to, text: json });
  }
  return patches.toSorted((a, b) => a.start - b.start);
}

/** @param patches ascending; one inside another is superfluous */
function patchStore(store: EventStore, patches: readonly Patch[]): EventStore {
  return {
    add: (bytes) => store.add(bytes),
    pieces: () => applyPatches(store.pieces(), patches),
    release: () => store.release(),
  };
}

function applyPatches(pieces: readonly Buffer[], patches: readonly Patch[]): Buffer[] {
  const patched: Buffer[] = [];
  let next = 0;
  /** Offset of the piece. */
  let base = 0;
  /** Everything in front of this offset has been written or replaced. */
  let done = 0;
  const copyTo = (piece: Buffer, end: number) => {
    if (end > done) patched.push(piece.subarray(done - base, end - base));
    done = Math.max(done, end);
  };
  for (const piece of pieces) {
    const end = base + piece.length;
    for (let patch = patches[next]; patch !== undefined && patch.start < end; patch = patches[next]) {
      const isInside = patch.start < done;
      copyTo(piece, patch.start);
      if (!isInside) patched.push(Buffer.from(patch.text));
      done = Math.max(done, patch.end);
      next += 1;
    }
    copyTo(piece, end);
    base = end;
  }
  return patched;
}
