import { RouteStrategies } from './route-strategies.ts';

export const ROUTES = [
  { id: 'a', routeId: 'a', priority: 0, weight: 1 },
  { id: 'b', routeId: 'b', priority: 0, weight: 1 },
];
export type Route = (typeof ROUTES)[number];

export function createStage(random = createRandom(7)) {
  let nowMs = 1_000_000;
  const strategies = new RouteStrategies({ nowMs: () => nowMs }, random);
  const order = (
    strategy: Parameters<RouteStrategies['order']>[0],
    {
      accountId = 'acct_1',
      sessionHash = null,
      cost = () => 1n,
      mayProbe = true,
      limitIds = ({ id }) => [id],
    }: {
      accountId?: string;
      sessionHash?: number | null;
      cost?: (route: Route, warmTokens: number) => bigint;
      mayProbe?: boolean;
      limitIds?: (route: Route) => string[];
    } = {},
  ) => {
    const { routes, choice } = strategies.order(strategy, ROUTES, {
      accountId,
      sessionHash,
      draw: random,
      mayProbe,
      getLimitIds: limitIds,
      getCost: cost,
    });
    return { first: routes[0]?.id ?? '', choice, ids: routes.map(({ id }) => id).toSorted() };
  };
  return { strategies, order, nowMs: () => nowMs, turnMs: (ms: number) => (nowMs += ms) };
}

export function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
