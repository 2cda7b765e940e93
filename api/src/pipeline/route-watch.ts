import type { TokenUsage } from '@tollgate/core/money/money';
import type { RouteStrategies } from '@tollgate/upstreams/routing/strategies/route-strategies';
import type { Model } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';

interface WatchContext {
  strategies: RouteStrategies;
  model: Pick<Model, 'routing' | 'routes'>;
  key: { accountId: string };
  /** null: the request belongs to no session. */
  sessionHash: number | null;
}

/** Learns from one request what the strategy of its model needs to know about the routes. */
export class RouteWatch {
  readonly #context: WatchContext;
  #first: { route: Route; ms: number } | null = null;
  #isHeldUp = false;

  /** Ends a second attempt as soon as the first one has content; null: there was none. */
  hedging: { cancel(): void } | null = null;

  constructor(context: WatchContext) {
    this.#context = context;
  }

  /** The provider has responded, perhaps with an error. */
  noteHeaders(route: Route, header: (name: string) => string | null): void {
    const { strategies, model } = this.#context;
    if (model.routing.strategy === 'usage-based' && !route.isOwn) strategies.limits.note(route.id, header);
  }

  /** The first content of a stream has arrived. @param ms since the request was sent to the route */
  noteFirstContent(route: Route | null, ms: number): void {
    this.hedging?.cancel();
    if (route === null) return;
    this.#first = { route, ms };
    if (this.#isTimed(route))
      this.#context.strategies.latencies.noteFirstToken(route.routeId, ms, this.#listPeers(route));
  }

  /** The route has sent no content of a stream yet. @param ms since the request was sent to it */
  noteWaiting(route: Route, ms: number): void {
    if (this.#isTimed(route))
      this.#context.strategies.latencies.noteWaiting(route.routeId, ms, this.#listPeers(route));
  }

  /** The caller reads more slowly than the provider sends, so that the time of the response says nothing about the route. */
  noteHeldUp(): void {
    this.#isHeldUp = true;
  }

  /** The request is about to be settled. @param ms since it was sent to its last route */
  noteEnd(route: Route | null, ms: number, ended: { usage: TokenUsage; errorCode: string | null }): void {
    // What it costs must be known before.
    this.hedging?.cancel();
    const { usage, errorCode } = ended;
    if (route !== null && errorCode === null && usage.outputTokens > 0) this.#noteAnswered(route, ms, usage);
  }

  #noteAnswered(route: Route, ms: number, usage: TokenUsage): void {
    const { strategies, sessionHash } = this.#context;
    if (sessionHash !== null) strategies.warm.note(sessionHash, route.routeId, usage);
    if (this.#isHeldUp || !this.#isTimed(route)) return;
    const { latencies } = strategies;
    const { outputTokens } = usage;
    if (this.#first?.route === route) latencies.noteStream(route.routeId, ms - this.#first.ms, outputTokens);
    else latencies.noteWhole(route.routeId, { ms, outputTokens, peers: this.#listPeers(route) });
  }

  /** An attempt has failed. @param failsForSeveral the route has failed for several accounts since its last success */
  noteFailure(
    { route, startedAtMs }: { route: Route; startedAtMs: number },
    { blame }: { blame: 'unreachable' | 'route' | 'none' },
    failsForSeveral: boolean,
  ): void {
    if (blame === 'none') return this.release(route);
    if (!this.#isTimed(route)) return;
    const { strategies, key } = this.#context;
    // What an account sends can make a provider fail.
    const accountId = blame === 'unreachable' || failsForSeveral ? null : key.accountId;
    strategies.latencies.noteFailure(route.routeId, Date.now() - startedAtMs, accountId);
  }

  /** An attempt has ended, which says nothing about its route. */
  release(route: Route): void {
    if (this.#isTimed(route)) this.#context.strategies.latencies.release(route.routeId);
  }

  /** How fast a provider serves the credential of one account says nothing to others. */
  #isTimed({ isOwn }: Route): boolean {
    return !isOwn && this.#context.model.routing.strategy === 'lowest-latency';
  }

  #listPeers(route: Route): string[] {
    return this.#context.model.routes.flatMap(({ routeId }) => (routeId === route.routeId ? [] : [routeId]));
  }
}

/** True: something has to be known about the routes of the model's requests. */
export function isWatched({ routing }: Pick<Model, 'routing'>): boolean {
  return routing.strategy !== 'weighted' || routing.hedgeAfterMs !== null;
}
