import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { servedRateTerms } from '@tollgate/dialects/served/compare-served-terms';
import { requestedTerms } from '@tollgate/core/money/rates/bound-rates';
import { isPlain, usedTerms } from '@tollgate/core/money/rates/rate-card';
import { resolveRates } from '@tollgate/core/money/rates/resolve-rates';
import type { Price } from '../catalogue/catalogue.ts';
import { findServedPrice, type AskedModels } from '../catalogue/upstream-models.ts';

/** What a provider's response says about its price. */
export interface ServedVerdict {
  /** The price of the model that answered; null: that of the requested model. */
  price: Price | null;
  /** Usage without a known price: `model gpt-x`, `service_tier priority`; null: none. */
  mismatch: string | null;
}

/** Also holds before the provider has reported anything. */
export const AS_ASKED: ServedVerdict = { price: null, mismatch: null };

/** Compares a response with what the request was priced by. */
export function judgeServed(served: ServedTerms, question: AskedModels): ServedVerdict {
  const { provider } = question.route;
  if (provider.kind === 'demo') return AS_ASKED;
  const model = judgeModel(served.model, question);
  const terms = usedTerms(requestedTerms(question.needs), served);
  if (isPlain(terms)) return model;
  // Terms that have a rate are billed by it, even if they were not requested.
  const used = resolveRates(model.price ?? question.price, terms);
  const strays = used.ok ? [] : [used.missing];
  const mismatch = [...(model.mismatch === null ? [] : [model.mismatch]), ...strays].join(', ');
  return { price: model.price, mismatch: mismatch === '' ? null : mismatch };
}

function judgeModel(served: string | null, asked: AskedModels): ServedVerdict {
  const { provider } = asked.route;
  // Azure deployments have names chosen by the operator; responses name the model.
  if (served === null || (provider.kind === 'http' && provider.preset === 'azure-openai')) return AS_ASKED;
  const price = findServedPrice(served, asked);
  if (price === null) return { price, mismatch: `model ${served}` };
  return price === asked.price ? AS_ASKED : { price, mismatch: null };
}

/** True for terms that are worth storing: other than the standard ones, or another model. */
export function isNotable(served: ServedTerms, { price, mismatch }: ServedVerdict): boolean {
  const { serviceTier, speed, inferenceGeo } = servedRateTerms(served);
  return price !== null || mismatch !== null || (serviceTier ?? speed ?? inferenceGeo) !== null;
}
