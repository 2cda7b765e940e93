import { retryDelayMs, type RetryPolicy } from '@tollgate/upstreams/routing/retry-policy';
import type { Route } from '../catalogue/route.ts';
import type { AttemptFailure } from './attempt-failure.ts';

interface Again {
  route: Route;
  retryAfterMs: number | null;
}

/** The next attempt, and the wait before it. */
export interface Planned<Entered> {
  entered: Entered;
  delayMs: number;
}

/**
 * The route order of one request: each route once, then routes with temporary failures once more. One whose error is probably
 * over soon is tried again before the others.
 */
export class RoutePlan {
  #routes: readonly Route[];
  readonly #policy: RetryPolicy;
  #again: Again[] | null = null;
  #soon: { route: Route; delayMs: number } | null = null;
  #at = 0;
  #attempts = 0;
  #retries = 0;

  constructor(routes: readonly Route[], policy: RetryPolicy) {
    this.#routes = routes;
    this.#policy = policy;
  }

  /** The routes that the attempts did not suffice for. */
  get untried(): readonly Route[] {
    return this.#routes.slice(this.#at);
  }

  /** True: the policy allows no further attempt. */
  get isUsedUp(): boolean {
    return this.#attempts >= this.#policy.attempts;
  }

  /**
   * Records a temporary failure of the route.
   * @param failure.isAdapted the request was changed because of it, so the next attempt is one more than the policy allows
   */
  noteRetryable(
    route: Route,
    { retryAfterMs, isAdapted = false }: Pick<AttemptFailure, 'retryAfterMs' | 'isAdapted'>,
  ): void {
    if (isAdapted) this.#attempts -= 1;
    this.#again ??= [];
    this.#again.push({ route, retryAfterMs });
  }

  /** The route is tried again next. */
  noteSoon(route: Route, delayMs: number): void {
    this.#soon = { route, delayMs };
  }

  /** True if the route can be tried with another credential of its provider. */
  hasOtherCredential({ routeId, isOneOfSeveral }: Route): boolean {
    return isOneOfSeveral && this.untried.some((other) => other.routeId === routeId);
  }

  /** The last attempt was not sent, so the policy allows one more. */
  noteNotSent(): void {
    this.#attempts -= 1;
  }

  /** The credential of the route failed: the attempt with the next one is one more than the policy allows. */
  noteOtherCredential(): void {
    this.#attempts -= 1;
  }

  /** The route failed whatever the credential: its other credentials come after the other routes. */
  postponeCredentials({ routeId, isOneOfSeveral }: Route): void {
    if (!isOneOfSeveral) return;
    const { untried } = this;
    this.#routes = [
      ...this.#routes.slice(0, this.#at),
      ...untried.filter((other) => other.routeId !== routeId),
      ...untried.filter((other) => other.routeId === routeId),
    ];
  }

  /**
   * Finds a route that was not tried yet. Nothing changes if there is none that can take the request now.
   * @param enter starts an attempt on the route; null if the route cannot take the request now
   */
  nextFresh<Entered>(enter: (route: Route) => Entered | null): Planned<Entered> | null {
    if (this.#attempts >= this.#policy.attempts) return null;
    for (const [index, route] of this.untried.entries()) {
      const entered = enter(route);
      if (entered === null) continue;
      this.#at += index + 1;
      return this.#planned(entered, 0);
    }
    return null;
  }

  /**
   * Finds a route that was not tried yet while an attempt is silent. The routes before it keep their turn: they may serve the
   * request after a failure.
   * @param enter starts an attempt on the route; null if the route is not the one to try now
   */
  nextOutOfTurn<Entered>(enter: (route: Route) => Entered | null): Planned<Entered> | null {
    if (this.#attempts >= this.#policy.attempts) return null;
    for (const route of this.untried) {
      const entered = enter(route);
      if (entered === null) continue;
      const others = this.untried.filter((other) => other !== route);
      this.#routes = [...this.#routes.slice(0, this.#at), route, ...others];
      this.#at += 1;
      return this.#planned(entered, 0);
    }
    return null;
  }

  /**
   * Finds a route for the rest of a response that broke off: one that was not tried yet, else the same. The maximum of attempts is
   * that of continuations.
   * @param sameFirst the same route may serve the request now, because it is changed
   */
  nextAfterBreak<Entered>(
    { route, sameFirst }: { route: Route; sameFirst: boolean },
    enter: (route: Route) => Entered | null,
  ): Planned<Entered> | null {
    const same = sameFirst ? enter(route) : null;
    if (same !== null) return this.#planned(same, 0);
    for (const [index, fresh] of this.untried.entries()) {
      const entered = enter(fresh);
      if (entered === null) continue;
      this.#at += index + 1;
      return this.#planned(entered, 0);
    }
    const entered = enter(route);
    return entered === null ? null : this.#planned(entered, 0);
  }

  /**
   * Finds the next route to try.
   * @param enter starts an attempt on the route; null if the route cannot take the request now
   * @returns null if no route is left
   */
  next<Entered>(enter: (route: Route) => Entered | null): Planned<Entered> | null {
    const soon = this.#soon;
    this.#soon = null;
    // It must not use the attempt of a route that was not tried yet.
    const reserved = this.untried.length > 0 ? 1 : 0;
    if (soon !== null && this.#attempts + reserved < this.#policy.attempts) {
      const entered = enter(soon.route);
      if (entered !== null) return this.#planned(entered, soon.delayMs);
    }
    while (this.#attempts < this.#policy.attempts) {
      const fresh = this.#routes[this.#at];
      if (fresh === undefined) return this.#nextAgain(enter);
      this.#at += 1;
      const entered = enter(fresh);
      if (entered !== null) return this.#planned(entered, 0);
    }
    return null;
  }

  #nextAgain<Entered>(enter: (route: Route) => Entered | null): Planned<Entered> | null {
    for (;;) {
      const again = this.#again?.shift();
      if (again === undefined) return null;
      const retry = { retry: this.#retries + 1, retryAfterMs: again.retryAfterMs, random: Math.random() };
      const delayMs = retryDelayMs(this.#policy, retry);
      const entered = delayMs === null ? null : enter(again.route);
      if (entered === null || delayMs === null) continue;
      this.#retries += 1;
      return this.#planned(entered, delayMs);
    }
  }

  #planned<Entered>(entered: Entered, delayMs: number): Planned<Entered> {
    this.#attempts += 1;
    return { entered, delayMs };
  }
}
