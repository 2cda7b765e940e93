/** The values of an authenticator: integers, texts, bytes, and maps of them. */
export type CborValue = number | string | Uint8Array | ReadonlyMap<number | string, CborValue>;

const UNSIGNED = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const MAP = 5;

/** Encodes a value in the canonical form of CTAP2, with maps in the given order: RFC 8949. */
export function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(NEGATIVE, -1 - value) : head(UNSIGNED, value);
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([head(TEXT, text.length), text]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(BYTES, value.length), value]);
  const entries = [...value].flatMap(([name, member]) => [encodeCbor(name), encodeCbor(member)]);
  return Buffer.concat([head(MAP, value.size), ...entries]);
}

/** The type of a value and its number or length, in the fewest bytes; lengths fit into two. */
function head(kind: number, amount: number): Buffer {
  const type = kind << 5;
  if (amount < 24) return Buffer.of(type | amount);
  if (amount < 0x1_00) return Buffer.of(type | 24, amount);
  if (amount < 0x1_00_00) return Buffer.of(type | 25, amount >> 8, amount & 0xff);
  throw new RangeError(`${amount} is more than an authenticator writes`);
}
