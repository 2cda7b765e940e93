import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Reads what a provider says that it used, from a whole answer or one event of a stream, in any dialect: `model` and
 * `service_tier` are in the answer itself, in its `message` or in its `response`; Anthropic keeps the terms in `usage`.
 * @param known of earlier events; later ones replace what they name
 * @returns null while nothing is known
 */
export function readServedTerms(body: JsonObject, known: ServedTerms | null = null): ServedTerms | null {
  const answer = asObject(body['message']) ?? asObject(body['response']) ?? body;
  const usage = asObject(answer['usage']) ?? asObject(body['usage']);
  const model = getText(answer['model']) ?? known?.model ?? null;
  const serviceTier =
    getText(answer['service_tier']) ?? getText(usage?.['service_tier']) ?? known?.serviceTier ?? null;
  const speed = getText(usage?.['speed']) ?? known?.speed ?? null;
  const inferenceGeo = getText(usage?.['inference_geo']) ?? known?.inferenceGeo ?? null;
  if (known !== null && isSame(known, { model, serviceTier, speed, inferenceGeo })) return known;
  if (model === null && serviceTier === null && speed === null && inferenceGeo === null) return null;
  return { model, serviceTier, speed, inferenceGeo };
}

const MAX_LENGTH = 200;

/** Azure's first event has an empty model. */
function getText(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const short = value.length > MAX_LENGTH ? value.slice(0, MAX_LENGTH) : value;
  return (short.includes('\0') ? short.replaceAll('\0', '') : short).toWellFormed();
}

function isSame(a: ServedTerms, b: ServedTerms): boolean {
  return (
    a.model === b.model &&
    a.serviceTier === b.serviceTier &&
    a.speed === b.speed &&
    a.inferenceGeo === b.inferenceGeo
  );
}
