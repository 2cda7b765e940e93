/**
 * A queue that takes one item from each lane in turn, so that a lane with many items delays other lanes by
 * only one item. A lane exists while it has items.
 */
export class FairQueue<Item> {
  /** Lanes in turn order; the next one is first. */
  readonly #lanes = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(lane: string, item: Item): void {
    const items = this.#lanes.get(lane);
    if (items === undefined) this.#lanes.set(lane, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Removes and returns the oldest item of the next lane. */
  shift(): Item | undefined {
    const next = this.#lanes.entries().next();
    if (next.done === true) return undefined;
    const [lane, items] = next.value;
    const item = items.shift();
    this.#lanes.delete(lane);
    if (items.length > 0) this.#lanes.set(lane, items);
    this.#size -= 1;
    return item;
  }

  /** Removes an item. @returns false if it is not in the lane */
  remove(lane: string, item: Item): boolean {
    const items = this.#lanes.get(lane) ?? [];
    const at = items.indexOf(item);
    if (at < 0) return false;
    items.splice(at, 1);
    if (items.length === 0) this.#lanes.delete(lane);
    this.#size -= 1;
    return true;
  }

  /** Removes all items. */
  clear(): Item[] {
    const all = [...this.#lanes.values()].flat();
    this.#lanes.clear();
    this.#size = 0;
    return all;
  }
}
