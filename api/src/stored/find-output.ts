import type { Buffer } from 'node:buffer';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';

/**
 * Finds the items that a response adds to its conversation.
 * @param response a valid JSON object
 * @returns null if it failed, so that a second attempt does not add its input twice
 */
export function findOutput(response: Buffer): { start: number; end: number } | null {
  const object = new JsonObjectBytes(response);
  return object.getText('status') === '"failed"' ? null : object.findPlace('output');
}
