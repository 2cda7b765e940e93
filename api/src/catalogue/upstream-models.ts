/**
 * Maps a provider's model name to a model of the catalogue. Only these rules decide how further models in a request are
 * checked and held, and how responses are billed. The gateway's own names mean nothing to a provider.
 */
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import { isSameModel, isServedModel } from '@tollgate/dialects/served/is-served-model';
import { findPrice, type Catalogue, type Model, type Price } from './catalogue.ts';
import type { Route } from './route.ts';

/** What a request was priced by, used to resolve the models that its response names. */
export interface AskedModels {
  route: Route;
  price: Price;
  /** The rates it was admitted with, including those of further models it names. */
  needs: readonly RateNeed[];
  catalogue: Catalogue;
  startedAtMs: number;
}

type Match = (upstreamModel: string, name: string) => boolean;
const isExact: Match = (upstreamModel, name) => upstreamModel === name;

/** The models that a request to the route's provider may mean by a name: those routed there under exactly this name. */
export function listNamedModels(catalogue: Catalogue, { provider }: Route, name: string): readonly Model[] {
  return getUpstreamNames(catalogue).get(provider.name)?.get(name) ?? NO_MODELS;
}

/**
 * The price of a model named in a provider's response. An exact name comes before aliases and snapshots; among equals, the
 * request's further models come first, then its own, then all models served through the same provider.
 * @returns null if no model with a price has the name
 */
export function findServedPrice(name: string, asked: AskedModels): Price | null {
  const { route, price, needs, catalogue } = asked;
  const named = needs.flatMap((need) => (need.kind === 'model' ? (catalogue.get(need.model) ?? []) : []));
  const first = priceAmong(named, name, asked, isExact);
  if (first !== null) return first;
  const own = [route.upstreamModel, ...route.servedNames];
  if (own.includes(name)) return price;
  // A snapshot with a separate price is not the family that was requested.
  const exact = priceAmong(listNamedModels(catalogue, route, name), name, asked, isExact);
  if (exact !== null) return exact;
  if (own.some((each) => isSameModel(each, name))) return price;
  const snapshot = priceAmong(named, name, asked, isSameModel);
  if (snapshot !== null) return snapshot;
  if (isServedModel(route.upstreamModel, name)) return price;
  return priceAmong([...catalogue.values()], name, asked, isSameModel);
}

const NO_MODELS: readonly Model[] = [];
type UpstreamNames = ReadonlyMap<string, ReadonlyMap<string, readonly Model[]>>;
/** Most responses name a dated snapshot: a look-up must not walk through the catalogue. */
const upstreamNames = new WeakMap<Catalogue, UpstreamNames>();

/** The models of a catalogue by provider name and upstream model. */
function getUpstreamNames(catalogue: Catalogue): UpstreamNames {
  const known = upstreamNames.get(catalogue);
  if (known !== undefined) return known;
  const built = new Map<string, Map<string, Model[]>>();
  for (const model of catalogue.values()) {
    const names = new Set(
      model.routes.map(({ provider, upstreamModel }) => `${provider.name}\0${upstreamModel}`),
    );
    for (const pair of names) {
      const [provider = '', upstreamModel = ''] = pair.split('\0');
      const ofProvider = built.get(provider) ?? new Map<string, Model[]>();
      built.set(provider, ofProvider);
      ofProvider.set(upstreamModel, [...(ofProvider.get(upstreamModel) ?? []), model]);
    }
  }
  upstreamNames.set(catalogue, built);
  return built;
}

function priceAmong(
  models: readonly Model[],
  name: string,
  { route, startedAtMs }: AskedModels,
  isMatch: Match,
): Price | null {
  for (const model of models) {
    const price = leadsTo(model, route.provider.name, name, isMatch) ? findPrice(model, startedAtMs) : null;
    if (price !== null) return price;
  }
  return null;
}

function leadsTo(model: Model, providerName: string, name: string, isMatch: Match): boolean {
  return model.routes.some(
    (route) => route.provider.name === providerName && isMatch(route.upstreamModel, name),
  );
}
