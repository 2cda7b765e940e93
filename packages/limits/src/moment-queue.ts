/** Maximum number of moments with millisecond precision. */
const FINE_MOMENTS = 1024;
/** Beyond it, times are rounded up to a multiple of this, in milliseconds. */
const COARSE_MS = 64;
/** Beyond this, amounts are added to the latest moment, which advances, so that the count is never too low. */
const MAX_MOMENTS = 2048;
const FIELDS = 3;
const FIRST_CAPACITY = 8;

/**
 * Ordered moments of a window with their requests and tokens, in a growing ring buffer. Positions only increase, so
 * an earlier position shows whether its moment still exists.
 */
export class MomentQueue {
  /** Position of the earliest moment. */
  head = 0;
  /** The position after the latest moment. */
  tail = 0;
  #capacity = FIRST_CAPACITY;
  #ring = new Float64Array(FIRST_CAPACITY * FIELDS);

  timeAt(position: number): number {
    return this.#ring[this.#slot(position)] ?? 0;
  }

  requestsAt(position: number): number {
    return this.#ring[this.#slot(position) + 1] ?? 0;
  }

  tokensAt(position: number): number {
    return this.#ring[this.#slot(position) + 2] ?? 0;
  }

  /** Changes the amounts of a moment that is in the queue. */
  add(position: number, requests: number, tokens: number): void {
    const slot = this.#slot(position);
    this.#ring[slot + 1] = (this.#ring[slot + 1] ?? 0) + requests;
    this.#ring[slot + 2] = (this.#ring[slot + 2] ?? 0) + tokens;
  }

  /** Adds to the latest moment or as a new one; a full queue rounds the time up. Returns the position. */
  append(timeMs: number, requests: number, tokens: number): number {
    const count = this.tail - this.head;
    const roundedMs = count < FINE_MOMENTS ? timeMs : Math.ceil(timeMs / COARSE_MS) * COARSE_MS;
    return this.#put(roundedMs, requests, tokens);
  }

  /** Like `add`, without rounding, for amounts that replace an expired moment. */
  replace(timeMs: number, tokens: number): void {
    this.#put(timeMs, 0, tokens);
  }

  dropFirst(): void {
    this.head += 1;
  }

  /** Releases memory after a burst. */
  shrink(): void {
    const count = this.tail - this.head;
    if (this.#capacity > FIRST_CAPACITY * 4 && count * 8 < this.#capacity) this.#resize(this.#capacity / 4);
  }

  #put(timeMs: number, requests: number, tokens: number): number {
    const count = this.tail - this.head;
    const last = this.tail - 1;
    if (count > 0 && (timeMs <= this.timeAt(last) || count >= MAX_MOMENTS)) {
      this.#ring[this.#slot(last)] = Math.max(timeMs, this.timeAt(last));
      this.add(last, requests, tokens);
      return last;
    }
    if (count === this.#capacity) this.#resize(this.#capacity * 2);
    const slot = this.#slot(this.tail);
    this.#ring[slot] = timeMs;
    this.#ring[slot + 1] = requests;
    this.#ring[slot + 2] = tokens;
    this.tail += 1;
    return this.tail - 1;
  }

  #slot(position: number): number {
    return (position % this.#capacity) * FIELDS;
  }

  #resize(capacity: number): void {
    const ring = new Float64Array(capacity * FIELDS);
    for (let position = this.head; position < this.tail; position++) {
      const from = this.#slot(position);
      ring.set(this.#ring.subarray(from, from + FIELDS), (position % capacity) * FIELDS);
    }
    this.#ring = ring;
    this.#capacity = capacity;
  }
}
