import { createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { ODD_TEXTS, ODD_VALUES, drawHuge } from './odd-values.ts';

type Container = Record<string, unknown> | unknown[];

export interface Mutant {
  body: Buffer;
  /** The mutation and its place: `messages.0.content: swapped for 1e999`. */
  mutations: string[];
}

/** A member of the body, mutated in place. */
interface Spot {
  parent: Container;
  key: string;
  path: string;
}

/**
 * Draws mutated request bodies: members of other types, removed, doubled or renamed, numbers out of range, extreme nesting
 * and lists, invalid UTF-8, invalid JSON. Some stay valid by chance.
 * @param seed the same seed draws the same mutants
 * @param share of huge ones: one in this many
 */
export function createMutator(seed: number, valid: readonly Record<string, unknown>[], hugeOneIn = 50) {
  const random = createSeededRandom(seed);
  return {
    next(model: string): Mutant {
      const tree: Record<string, unknown> = { model, ...structuredClone(random.pick(valid)) };
      const raw: string[] = [];
      const count = 1 + random.below(2);
      const mutations = Array.from({ length: count }, () => mutate({ tree, random, raw, hugeOneIn }));
      const text = JSON.stringify(tree).replaceAll(PLACE, (_all, index: string) => raw[Number(index)] ?? '');
      const { body, damage } = damageBytes(Buffer.from(text), random);
      return { body, mutations: damage === null ? mutations : [...mutations, damage] };
    },
  };
}

/** Placeholder in the tree for text that no value serializes to. */
const PLACE = /"@@raw:(\d+)@@"/g;

interface Mutation {
  tree: Record<string, unknown>;
  random: SeededRandom;
  raw: string[];
  hugeOneIn: number;
}

function mutate({ tree, random, raw, hugeOneIn }: Mutation): string {
  const spot = random.pick(getSpots(tree, ''));
  const put = (text: string) => {
    raw.push(text);
    set(spot, `@@raw:${raw.length - 1}@@`);
  };
  if (random.below(hugeOneIn) === 0) {
    const { text, name } = drawHuge(random);
    put(text);
    return `${spot.path}: ${name}`;
  }
  switch (random.below(7)) {
    case 0:
      remove(spot);
      return `${spot.path}: left out`;
    case 1:
      return rename(spot, random.pick(ODD_TEXTS));
    case 2:
      return double(spot, random, put);
    case 3:
      set(spot, random.pick(ODD_TEXTS));
      return `${spot.path}: odd text`;
    case 4:
      return swap(spot, random.pick(getSpots(tree, '')));
    default: {
      const text = random.pick(ODD_VALUES);
      put(text);
      return `${spot.path}: swapped for ${text.slice(0, 40)}`;
    }
  }
}

/** All members of the body at any depth. */
function getSpots(parent: Container, at: string): Spot[] {
  return Object.entries(parent).flatMap(([key, value]: [string, unknown]) => {
    const path = `${at}${key}`;
    const spot = { parent, key, path };
    return isContainer(value) ? [spot, ...getSpots(value, `${path}.`)] : [spot];
  });
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function set({ parent, key }: Spot, value: unknown): void {
  // `__proto__` as an own property, as from JSON.parse.
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove({ parent, key }: Spot): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
}

function rename(spot: Spot, name: string): string {
  const value: unknown = Reflect.get(spot.parent, spot.key);
  if (Array.isArray(spot.parent)) {
    spot.parent.push(value);
    return `${spot.path}: twice in its list`;
  }
  remove(spot);
  set({ ...spot, key: name }, value);
  return `${spot.path}: renamed to ${JSON.stringify(name)}`;
}

/** A second member of the same name after the first, which serializers never write. */
function double(spot: Spot, random: SeededRandom, put: (text: string) => void): string {
  const value: unknown = Reflect.get(spot.parent, spot.key);
  const second = random.pick(ODD_VALUES);
  const first = JSON.stringify(value) ?? 'null';
  put(Array.isArray(spot.parent) ? `${first},${second}` : `${first},${JSON.stringify(spot.key)}:${second}`);
  return `${spot.path}: doubled, the second ${second.slice(0, 40)}`;
}

/** A copy of another subtree of the body. */
function swap(spot: Spot, other: Spot): string {
  set(spot, structuredClone(Reflect.get(other.parent, other.key)));
  return `${spot.path}: swapped for what is in ${other.path}`;
}

const INVALID_UTF8 = [
  Buffer.from([0xff]),
  Buffer.from([0xc3, 0x28]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf8, 0x88, 0x80]),
];

/** One in ten bodies is also damaged as bytes. */
function damageBytes(body: Buffer, random: SeededRandom): { body: Buffer; damage: string | null } {
  const at = random.below(body.length);
  switch (random.below(60)) {
    case 0:
      return { body: body.subarray(0, at), damage: `cut off after ${at} bytes` };
    case 1:
    case 2:
      return { body: insert(body, at, random.pick(INVALID_UTF8)), damage: `no UTF-8 at ${at}` };
    case 3:
      return { body: insert(body, at, Buffer.from([random.below(256)])), damage: `a stray byte at ${at}` };
    case 4:
      return { body: Buffer.concat([body, body]), damage: 'twice' };
    case 5:
      return {
        body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
        damage: 'behind a byte-order mark',
      };
    default:
      return { body, damage: null };
  }
}

function insert(body: Buffer, at: number, bytes: Buffer): Buffer {
  return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)]);
}
