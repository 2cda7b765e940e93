import type { Buffer } from 'node:buffer';

/** Holds the bytes of one large event until it is whole. */
export interface EventStore {
  /** @throws if there is no memory for them */
  add(bytes: Buffer): void;
  /** Everything that was added, in order. */
  pieces(): Buffer[];
  /** Frees the memory; only the first call counts. */
  release(): void;
}

/** A store without a limit. */
export function createEventStore(): EventStore {
  let pieces: Buffer[] = [];
  return {
    add: (bytes) => void pieces.push(bytes),
    pieces: () => pieces,
    release: () => (pieces = []),
  };
}
