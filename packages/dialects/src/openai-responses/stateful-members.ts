import { deny } from '@tollgate/core/errors/errors';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { approvesStoredCall, findApprovalRequests, isStoredItem } from './stored-item.ts';

type Denial = ReturnType<typeof deny>;

const SEND_ALL =
  'Send the whole conversation in `input` with each request, and ask for `include: ["reasoning.encrypted_content"]` ' +
  'so that its reasoning can be sent back.';

/** Members that refer to something stored on a server: why they are refused, and what to do instead. */
const STATEFUL: Readonly<Record<string, string>> = {
  previous_response_id: `previous_response_id is supported only if the account has turned on stored responses. ${SEND_ALL}`,
  conversation: `conversation is not supported. ${SEND_ALL}`,
  background: 'background is not supported. Wait for the response, or stream it.',
  prompt: 'prompt is not supported. Send the text of the prompt in `instructions` or `input`.',
};

/**
 * Finds features that the stateless endpoint lacks: to build on a stored response. `store` itself is answered without
 * storing anything: the ids of items carry them.
 * @returns `unsupported_parameter`, with the member as `param` and what to do instead; null if the body has none
 */
export function denyStateful(body: JsonObject): Denial | null {
  for (const [name, message] of Object.entries(STATEFUL)) {
    const value = body[name] ?? null;
    if (value === null || value === false) continue;
    return refuse(name, message);
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
        `${shown} is not supported, because the gateway does not store items. Send the whole item instead. For a reasoning item, include its encrypted_content.`,
      );
    }
    if (approvesStoredCall(item, requestIds))
      return refuse(
        `input.${at}.approval_request_id`,
        'approval_request_id must be the id of an mcp_approval_request in `input`, because the gateway does not store items. Send that item as well.',
      );
  }
  return null;
}

function refuse(param: string, message: string): Denial {
  return deny('unsupported_parameter', message, { param });
}
