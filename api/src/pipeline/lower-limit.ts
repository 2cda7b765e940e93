import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { Model } from '../catalogue/catalogue.ts';

/** The longest output of the model, if the request asks for more; a hold lowers it further. */
export function findLowerLimit(
  { maxOutputTokens }: Pick<RelayRequest, 'maxOutputTokens'>,
  model: Pick<Model, 'maxOutputTokens'>,
): number | null {
  const most = model.maxOutputTokens;
  return most !== null && maxOutputTokens !== null && maxOutputTokens > most ? most : null;
}
