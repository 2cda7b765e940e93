import { deny } from '@tollgate/core/errors/errors';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { approvesStoredCall, findApprovalRequests, isStoredItem } from './stored-item.ts';

type Denial = ReturnType<typeof deny>;

const SEND_ALL =
  'Send the whole conversation in `input` with each request, and ask for `include: ["reasoning.encrypted_content"]` ' +
  'so that its reasoning can be sent back.';

/** Members that refer to something kept on a server, and what to do in their place. */
const STATEFUL: Readonly<Record<string, string>> = {
  previous_response_id: SEND_ALL,
  conversation: SEND_ALL,
  background: 'Wait for the answer, or stream it.',
  prompt: 'Send the text of the prompt in `instructions` or `input`.',
};

/**
 * Finds features that the stateless endpoint lacks: to build on a stored response. `store` itself is answered without
 * storing anything: the ids of items carry them.
 * @returns `unsupported_parameter`, with the member as `param` and what to do instead; null if the body has none
 */
export function denyStateful(body: JsonObject): Denial | null {
  for (const [name, advice] of Object.entries(STATEFUL)) {
    const value = body[name] ?? null;
    if (value === null || value === false) continue;
    return refuse(name, `${name} is not supported: no state is kept here. ${advice}`);
  }
  return Array.isArray(body['input']) ? denyStoredItems(body['input']) : null;
}

function denyStoredItems(input: readonly unknown[]): Denial | null {
  const requestIds = findApprovalRequests(input);
  for (let at = 0; at < input.length; at += 1) {
    const item = asObject(input[at]);
    if (item === null) continue;
    if (isStoredItem(item)) {
      const shown =
        item['type'] === 'item_reference' ? 'item_reference' : 'An item with an id and no content';
      return refuse(
        `input.${at}`,
        `${shown} is not supported unless its id carries the item: no item is kept here. Send the item itself in its place, reasoning with its encrypted_content.`,
      );
    }
    if (approvesStoredCall(item, requestIds))
      return refuse(
        `input.${at}.approval_request_id`,
        'approval_request_id must be the id of an mcp_approval_request in `input`: no item is kept here. Send that item as well.',
      );
  }
  return null;
}

function refuse(param: string, message: string): Denial {
  return deny('unsupported_parameter', message, { param });
}
