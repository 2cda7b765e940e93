import { deny } from '@tollgate/core/errors/errors';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { approvesStoredCall, findApprovalRequests, isStoredItem } from './stored-item.ts';

type Denial = ReturnType<typeof deny>;

const TURN_ON =
  'this account does not store responses. An owner or admin of the account can turn on stored responses in the console, on the Team page.';
const SEND_ALL =
  'Or send the whole conversation in `input` with each request, and ask for `include: ["reasoning.encrypted_content"]` ' +
  'so that its reasoning can be sent back.';

/**
 * Members that refer to something stored on a server, and what to do in their place. For accounts that store responses, the
 * gateway has taken the first three out before.
 */
const STATEFUL: Readonly<Record<string, string>> = {
  previous_response_id: `${TURN_ON} ${SEND_ALL}`,
  conversation: `${TURN_ON} ${SEND_ALL}`,
  background: `${TURN_ON} Or wait for the response, or stream it.`,
  prompt: 'the gateway stores no prompts. Send the text of the prompt in `instructions` or `input`.',
};

/**
 * Finds features that a request without stored state lacks. `store` itself is answered without
 * storing anything: the ids of items carry them.
 * @returns `unsupported_parameter`, with the member as `param` and what to do instead; null if the body has none
 */
export function denyStateful(body: JsonObject): Denial | null {
  for (const [name, advice] of Object.entries(STATEFUL)) {
    const value = body[name] ?? null;
    if (value === null || value === false) continue;
    return refuse(name, `${name} is not supported: ${advice}`);
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
