import type { RateNeed, ServedTerms } from '@tollgate/core/rates/rate-need';
import { servedRateTerms } from '@tollgate/dialects/served/compare-served-terms';
import { isServedModel } from '@tollgate/dialects/served/is-served-model';
import { requestedTerms } from '@tollgate/core/rates/bound-rates';
import { usedTerms } from '@tollgate/core/rates/rate-card';
import { resolveRates } from '@tollgate/core/rates/resolve-rates';
import { findPrice, type Catalogue, type Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';

/** What a provider's answer says of its price. */
export interface ServedVerdict {
  /** The price of the model that answered; null: that of the model that was asked for. */
  price: Price | null;
  /** What was used that has no known price: `model gpt-x`, `service_tier priority`; null: nothing. */
  mismatch: string | null;
}

export interface ServedQuestion {
  route: Route;
  /** What the request was priced by. */
  price: Price;
  needs: readonly RateNeed[];
  catalogue: Catalogue;
  startedAtMs: number;
}

const AS_ASKED: ServedVerdict = { price: null, mismatch: null };

/** Compares an answer with what the request was priced by. */
export function judgeServed(served: ServedTerms, question: ServedQuestion): ServedVerdict {
  const { provider } = question.route;
  if (provider.kind === 'demo') return AS_ASKED;
  const model = judgeModel(served.model, question);
  // Terms that have a rate are billed by it, whether they were asked for or not.
  const card = model.price ?? question.price;
  const used = resolveRates(card, usedTerms(requestedTerms(question.needs), served));
  const strays = used.ok ? [] : [used.missing];
  const mismatch = [...(model.mismatch === null ? [] : [model.mismatch]), ...strays].join(', ');
  return { price: model.price, mismatch: mismatch === '' ? null : mismatch };
}

function judgeModel(served: string | null, { route, catalogue, startedAtMs }: ServedQuestion): ServedVerdict {
  const { provider, upstreamModel } = route;
  // Azure's deployments have names of the operator's own; its answers have the model's.
  if (served === null || (provider.kind === 'http' && provider.preset === 'azure-openai')) return AS_ASKED;
  if (isServedModel(upstreamModel, served)) return AS_ASKED;
  for (const model of catalogue.values()) {
    const leadsThere = model.routes.some(
      (other) => other.provider.name === provider.name && isServedModel(other.upstreamModel, served),
    );
    const price = leadsThere ? findPrice(model, startedAtMs) : null;
    if (price !== null) return { price, mismatch: null };
  }
  return { price: null, mismatch: `model ${served}` };
}

/** True for terms that are worth storing: anything beside the plain ones, or another model. */
export function isNotable(served: ServedTerms, { price, mismatch }: ServedVerdict): boolean {
  const { serviceTier, speed, inferenceGeo } = servedRateTerms(served);
  return price !== null || mismatch !== null || (serviceTier ?? speed ?? inferenceGeo) !== null;
}
