/** When routes of models with health checks last answered a request, by the route's id. */
export class ServedRoutes {
  readonly #servedAtMs = new Map<string, number>();

  note(id: string): void {
    this.#servedAtMs.set(id, Date.now());
  }

  /** @returns -Infinity if it has answered none */
  getServedAtMs(id: string): number {
    return this.#servedAtMs.get(id) ?? -Infinity;
  }

  /** Forgets removed routes. */
  keepOnly(isKept: (id: string) => boolean): void {
    for (const id of this.#servedAtMs.keys()) if (!isKept(id)) this.#servedAtMs.delete(id);
  }
}
