import type { JsonObject } from '../../json/parse-object.ts';
import type { CarriedItems } from './carried-items.ts';
import { sealItems } from './item-id.ts';

/**
 * The item that carries the items of a streamed response, whose own ids are sent before their content. It is an empty
 * reasoning item, which clients keep and refer to like any other.
 * @param stem the common part of ids
 * @returns null if there is none to carry
 */
export function createCarrier(items: CarriedItems, stem: string): JsonObject | null {
  const { json } = items;
  return json === null ? null : { id: sealItems(`rs_${stem}`, json), type: 'reasoning', summary: [] };
}
