import { Buffer } from 'node:buffer';
import { KNOWN_MEMBERS, type ObjectKind } from '../json/request-members.ts';
import { OUTLINE_BYTES } from './outline-bytes.gen.ts';

/** The exports of the program in `outline-bytes.gen.ts`. Its source is `packages/dialects/assembly/`. */
interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  getBodyOffset: () => number;
  getPlacesOffset: () => number;
  getNewNameOffset: () => number;
  addKnown: (length: number, rules: number) => void;
  reserve: (bytes: number) => number;
  outline: (length: number, maxValues: number, maxMembers: number) => number;
  needsScan: () => number;
  takeIdle: () => number;
  countPlaces: () => number;
  countValues: () => number;
  countMembers: () => number;
  openMarks: () => number;
  getNewMarkOffset: () => number;
  hasRoomForMark: (list: number, length: number) => number;
  addMark: (list: number, length: number) => void;
  findMarks: (list: number) => number;
}

export interface OutlineProgram extends Exports {
  /** Writes a body into the memory of the program. @returns false if there is no room for it */
  load: (body: Uint8Array) => boolean;
  /**
   * Adds a list of texts, for which outlines are searched.
   * @param texts of ASCII, of at least three characters each, and at most 32
   * @returns the list in the memory, where it stays
   */
  addMarks: (texts: readonly string[]) => number;
  /** The memory from an offset on. */
  view: (offset: number, length: number) => Buffer;
}

/** The global of every runtime; the types of Node have no such value. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** As the program numbers them. */
const KINDS: Record<ObjectKind, number> = { strict: 1, folded: 2, free: 3 };
const BELOW_SHIFT = 2;
const WHOLE_NUMBER = 16;

let loaded: OutlineProgram | null = null;

/** The program of this thread; it is compiled at its first use. */
export function getOutlineProgram(): OutlineProgram {
  return (loaded ??= loadProgram());
}

function loadProgram(): OutlineProgram {
  const module = new WebAssembly.Module(Buffer.from(OUTLINE_BYTES, 'base64'));
  const program = new WebAssembly.Instance(module).exports as Exports;
  const view = (offset: number, length: number) => Buffer.from(program.memory.buffer, offset, length);
  for (const { name, atTop, below, isWhole } of KNOWN_MEMBERS) {
    view(program.getNewNameOffset(), name.length).write(name, 'latin1');
    const rules = KINDS[atTop] | (KINDS[below] << BELOW_SHIFT) | (isWhole ? WHOLE_NUMBER : 0);
    program.addKnown(name.length, rules);
  }
  return {
    ...program,
    view,
    addMarks(texts) {
      const list = program.openMarks();
      for (const text of texts) {
        if (program.hasRoomForMark(list, text.length) === 0) throw new Error(`No room for the mark ${text}`);
        view(program.getNewMarkOffset(), text.length).write(text, 'latin1');
        program.addMark(list, text.length);
      }
      return list;
    },
    load(body) {
      if (program.reserve(body.length) === 0) return false;
      view(program.getBodyOffset(), body.length).set(body);
      return true;
    },
  };
}
