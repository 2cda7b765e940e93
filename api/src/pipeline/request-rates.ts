import { deny, type Result } from '@tollgate/core/errors/errors';
import {
  boundRates,
  MAX_TOOL_CALLS,
  rateOptionFor,
  type BoundRates,
} from '@tollgate/core/money/rates/bound-rates';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import { findPrice, type Catalogue, type Model, type Price } from '../catalogue/catalogue.ts';

/** Rates that no bill of a request exceeds. */
export interface RequestRates extends BoundRates {
  further: readonly FurtherModel[];
}

/** Another model that the provider may use for the request. */
interface FurtherModel extends BoundRates {
  model: Model;
  calls: number;
}

const NO_FURTHER: readonly FurtherModel[] = [];
const NO_NEEDS: readonly RateNeed[] = [];

/**
 * Finds the rates that a request needs.
 * @returns `unsupported_parameter`, naming the rate, if the operator has not set one of them
 */
export function findRequestRates(
  { model, price, needs = NO_NEEDS }: { model: Model; price: Price; needs?: readonly RateNeed[] | undefined },
  { catalogue, startedAtMs }: { catalogue: Catalogue; startedAtMs: number },
): Result<RequestRates> {
  const own = boundRates(price, needs);
  if (!own.ok) return denyRate(model.id, own);
  const { prices, toolCallsNanoUsd } = own.bound;
  if (needs.length === 0) return { ok: true, value: { prices, toolCallsNanoUsd, further: NO_FURTHER } };
  const further: FurtherModel[] = [];
  for (const need of needs) {
    if (need.kind !== 'model') continue;
    const other = catalogue.get(need.model);
    const otherPrice = other === undefined ? null : findPrice(other, startedAtMs);
    if (other === undefined || otherPrice === null) {
      const message = `The request names the model ${JSON.stringify(need.model)}, which has no price. Leave it out, or ask the gateway's operator to add a price.`;
      return deny('unsupported_parameter', message, { param: 'model' });
    }
    const bound = boundRates(otherPrice, needs);
    if (!bound.ok) return denyRate(other.id, bound);
    const calls = need.maxCalls === undefined ? 1 : (need.maxCalls ?? MAX_TOOL_CALLS);
    further.push({ model: other, calls, ...bound.bound });
  }
  return { ok: true, value: { prices, toolCallsNanoUsd, further } };
}

function denyRate(modelId: string, { need, missing }: { need: RateNeed; missing: string }) {
  const model = JSON.stringify(modelId);
  const option =
    need.kind === 'model' ? '' : ` (tollgate model add --id ${modelId} --rate ${rateOptionFor(need)})`;
  const message = `The model ${model} has no rate for ${missing}, so the request cannot be priced. Leave it out, or ask the gateway's operator to add the rate${option}.`;
  return deny('unsupported_parameter', message, { param: getParam(need) });
}

/** The request member that needs the rate. */
function getParam(need: RateNeed): string {
  switch (need.kind) {
    case 'service_tier':
    case 'speed':
    case 'inference_geo':
      return need.kind;
    case 'tokens':
      return need.class.endsWith('input') ? 'messages' : 'modalities';
    case 'tool_calls':
      return need.member ?? 'tools';
    case 'model':
      return 'model';
  }
}
