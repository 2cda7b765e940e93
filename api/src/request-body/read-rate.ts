import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';

/** Read at full speed for one account: one body of the largest size. */
const BURST_BYTES = BODY_LIMITS.maxBytes;
/** Read for one account in a second after that. */
const BYTES_PER_SECOND = 128 * 1024 * 1024;
/** Owners with a full burst are removed when more than this are known. */
const MAX_IDLE_OWNERS = 10_000;

interface Burst {
  leftBytes: number;
  /** Of `leftBytes`, by `performance.now()`. */
  atMs: number;
}

/**
 * Limits how fast large bodies of one owner (account) are read. V8 collects the whole heap after about 64 MiB of new buffers,
 * which delays the requests of all accounts.
 */
export class ReadRate {
  readonly #now: () => number;
  readonly #owners = new Map<string, Burst>();

  /** @param now the time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts bytes that were read. */
  spend(owner: string, bytes: number): void {
    this.#find(owner).leftBytes -= bytes;
  }

  /** Time until the owner may read more, in milliseconds. 0: now */
  waitMs(owner: string): number {
    const { leftBytes } = this.#find(owner);
    return leftBytes > 0 ? 0 : Math.ceil((1 - leftBytes) / (BYTES_PER_SECOND / 1000));
  }

  #find(owner: string): Burst {
    const now = this.#now();
    const burst = this.#owners.get(owner);
    if (burst !== undefined) {
      burst.leftBytes = refill(burst, now);
      burst.atMs = now;
      return burst;
    }
    if (this.#owners.size >= MAX_IDLE_OWNERS)
      for (const [id, idle] of this.#owners) if (refill(idle, now) === BURST_BYTES) this.#owners.delete(id);
    const full = { leftBytes: BURST_BYTES, atMs: now };
    this.#owners.set(owner, full);
    return full;
  }
}

function refill({ leftBytes, atMs }: Burst, now: number): number {
  return Math.min(BURST_BYTES, leftBytes + ((now - atMs) * BYTES_PER_SECOND) / 1000);
}
