import type { JsonObject } from '../../json/parse-object.ts';

/** How a caller may refer to the items of a response later. */
export type ItemReferences =
  /** It left `store` out: SDKs do, whether they refer to items or not. */
  | 'possible'
  /** It set `store: true`. */
  | 'expected';

/** @returns null for `store: false`: the caller sends whole items */
export function getItemReferences(body: JsonObject): ItemReferences | null {
  const store = body['store'] ?? null;
  if (store === false) return null;
  return store === true ? 'expected' : 'possible';
}

/** In the user agent of the AI SDK: `ai/7.0.173 ai-sdk-provider-utils/5.0.81`, in older versions `ai-sdk/openai/2.0.0`. */
const AI_SDK = /(?:^|\s)ai-sdk[-/]/;

/**
 * True if a stream needs an item that carries the others. Only clients that refer to items get one: the AI SDK does unless
 * `store` is false, others only after they set `store`.
 */
export function needsCarrier(references: ItemReferences | undefined, userAgent: string | null): boolean {
  if (references === undefined) return false;
  return references === 'expected' || AI_SDK.test(userAgent ?? '');
}
