import type { TokenUsage } from '@tollgate/core/money/money';
import type { RouteStrategies } from '@tollgate/upstreams/routing/strategies/route-strategies';
import type { Model } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';

interface WatchContext {
  strategies: RouteStrategies;
  model: Pick<Model, 'routing' | 'routes'>;
  /** null: the request belongs to no session. */
  sessionHash: number | null;
}

/** Learns from one request what the strategy of its model needs to know about the routes. */
export class RouteWatch {
  readonly #context: WatchContext;
  #first: { route: Route; ms: number } | null = null;

  constructor(context: WatchContext) {
    this.#context = context;
  }

  /** The provider has responded, perhaps with an error. */
  noteHeaders(route: Route, header: (name: string) => string | null): void {
    const { strategies, model } = this.#context;
    if (model.routing.strategy === 'usage-based') strategies.limits.note(route.id, header);
  }

  /** The first content of a stream has arrived. route.idparam ms since the request was sent to the route */
  noteFirstContent(route: Route | null, ms: number): void {
    if (route === null) return;
    this.#first = { route, ms };
    if (this.#isTimed)
      this.#context.strategies.latencies.noteFirstToken(route.routeId, ms, this.#listPeers(route));
  }

  /** The route has sent no content of a stream yet. route.idparam ms since the request was sent to it */
  noteWaiting(route: Route, ms: number): void {
    if (this.#isTimed)
      this.#context.strategies.latencies.noteWaiting(route.routeId, ms, this.#listPeers(route));
  }

  /** The route has answered in full. route.idparam ms since the request was sent to it */
  noteAnswered(route: Route | null, ms: number, usage: TokenUsage): void {
    if (route === null) return;
    const { strategies, sessionHash } = this.#context;
    if (sessionHash !== null) strategies.warm.note(sessionHash, route.routeId, usage);
    if (!this.#isTimed) return;
    const { latencies } = strategies;
    const { outputTokens } = usage;
    if (this.#first?.route === route) latencies.noteStream(route.routeId, ms - this.#first.ms, outputTokens);
    else latencies.noteWhole(route.routeId, { ms, outputTokens, peers: this.#listPeers(route) });
  }

  /** An attempt has failed. route.idparam ms null: not because of the route */
  noteFailure(route: Route, ms: number | null): void {
    if (!this.#isTimed) return;
    const { latencies } = this.#context.strategies;
    if (ms === null) latencies.release(route.routeId);
    else latencies.noteFailure(route.routeId, ms);
  }

  get #isTimed(): boolean {
    return this.#context.model.routing.strategy === 'lowest-latency';
  }

  #listPeers(route: Route): string[] {
    return this.#context.model.routes.flatMap(({ routeId }) => (routeId === route.routeId ? [] : [routeId]));
  }
}
