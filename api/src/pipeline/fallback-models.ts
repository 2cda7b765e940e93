/**
 * The fallback models of one request. A fallback model must be able to serve the request as if the caller had named it: the key's
 * scope, its price, its routes and their contracts are checked. They are checked when first needed: for the hold, or after a failure.
 */
import type { FallbackClass, FallbackModel } from '@tollgate/core/models/fallback-model';
import type { Catalogue, Model, Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import { authorizeModel } from './authorize.ts';
import { coversClass } from './fallback-class.ts';
import type { AllowedFallbacks } from './fallback-header.ts';
import { needsRates } from './needs-rates.ts';
import { findRequestRates, type RequestRates } from './request-rates.ts';
import { readRequestTerms, type RequestTerms, type TermsSource } from './request-terms.ts';
import { Translator, type TranslationSource } from './translation.ts';

/** A fallback model that can serve the request. */
export interface FallbackCandidate {
  classes: readonly FallbackClass[];
  model: Model;
  price: Price;
  terms: RequestTerms;
  translator: Translator;
  /** null: nothing is held, and a rate is missing. */
  rates: RequestRates | null;
}

interface FallbackSource
  extends
    Pick<TermsSource, 'spec' | 'request' | 'classified' | 'header' | 'key'>,
    Pick<TranslationSource, 'body' | 'prepared' | 'exchange'> {
  catalogue: Catalogue;
  startedAtMs: number;
}

/** True if requests for the model may go to another one. */
export function hasFallbacks({ fallbacks }: Pick<Model, 'fallbacks'>, allowed: AllowedFallbacks): boolean {
  return fallbacks.length > 0 && (allowed === null || fallbacks.some(({ modelId }) => allowed.has(modelId)));
}

export class FallbackModels {
  readonly #source: FallbackSource;
  readonly #models: readonly FallbackModel[];
  #candidates: readonly FallbackCandidate[] | null = null;
  readonly #tried = new Set<FallbackCandidate>();
  /** The maximum output of the model that is tried, if it is lower than requested; a header of the response reports it. */
  lowerLimit: number | null = null;

  constructor(source: FallbackSource, { fallbacks }: Model, allowed: AllowedFallbacks) {
    this.#source = source;
    this.#models = allowed === null ? fallbacks : fallbacks.filter(({ modelId }) => allowed.has(modelId));
  }

  /** The fallback models that can serve the request, in their order. */
  get candidates(): readonly FallbackCandidate[] {
    return (this.#candidates ??= this.#models.flatMap((fallback) => {
      const candidate = prepareCandidate(this.#source, fallback);
      return candidate === null ? [] : [candidate];
    }));
  }

  /** The routes of all of them. */
  get routes(): readonly Route[] {
    return this.candidates.flatMap(({ terms }) => terms.routes);
  }

  /** True if one may be tried after a failure. */
  has(of: FallbackClass, failed: Failed): boolean {
    return this.#find(of, failed) !== null;
  }

  /** The next one to try after a failure, each at most once. @returns null if there is none */
  take(of: FallbackClass, failed: Failed): FallbackCandidate | null {
    const found = this.#find(of, failed);
    if (found !== null) this.#tried.add(found);
    return found;
  }

  /** Starts again with all of them. */
  reset(): void {
    this.#tried.clear();
  }

  #find(of: FallbackClass, failed: Failed): FallbackCandidate | null {
    const isNext = (candidate: FallbackCandidate) =>
      !this.#tried.has(candidate) &&
      coversClass(candidate.classes, of) &&
      (of !== 'context' || takesMore(candidate, failed));
    return this.candidates.find(isNext) ?? null;
  }
}

/** What has just failed; a route of null: none could be called. */
interface Failed {
  model: Pick<Model, 'contextTokens'>;
  route: Route | null;
}

/** False if the context window of a fallback model is known to be no larger than that of the route that refused the input. */
function takesMore({ model }: FallbackCandidate, { model: failed, route }: Failed): boolean {
  const refused = route?.contextTokens ?? failed.contextTokens;
  return refused === null || model.contextTokens === null || model.contextTokens > refused;
}

/** The members of a request that depend on its model. */
export function getNeedsOfModel({ needs, hasUncountedTools, hasCompaction }: RequestTerms) {
  return { rateNeeds: needs, hasUncountedTools, hasCompaction };
}

function prepareCandidate(
  source: FallbackSource,
  { modelId, classes }: FallbackModel,
): FallbackCandidate | null {
  const { spec, key, catalogue, startedAtMs, body, prepared, exchange } = source;
  const authorized = authorizeModel(key, modelId, catalogue, startedAtMs);
  if (!authorized.ok || spec.checkModel(authorized.value.model) !== null) return null;
  const { model, price } = authorized.value;
  const translator = new Translator({ from: spec.dialect, body, model, key, exchange, prepared });
  const scope = { key, catalogue, startedAtMs };
  const isPriced = spec.isMetered && needsRates(key);
  const terms = readRequestTerms({
    ...source,
    routes: model.routes,
    translator,
    scope,
    findRates: isPriced ? (needs) => findRequestRates({ model, price, needs }, scope) : null,
    // They are noted for the model that was requested.
    onUnknown: () => undefined,
  });
  if (!terms.ok || terms.value.routes.length === 0) return null;
  const rates = findRequestRates({ model, price, needs: terms.value.needs }, scope);
  if (!rates.ok && isPriced) return null;
  return { classes, model, price, terms: terms.value, translator, rates: rates.ok ? rates.value : null };
}
