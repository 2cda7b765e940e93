import type { ErrorCode } from '@tollgate/core/errors/errors';
import { CONVERSATION_LIMITS } from '@tollgate/core/requests/stored-responses';
import { inputItemSchema } from '@tollgate/dialects/openai-responses/input-schema';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMMON_ERRORS, errorResponses } from '../error-responses.ts';
import { describePage, pageQuery } from '../paged-list.ts';
import { successResponse } from '../success-response.ts';

const { maxItemsAtOnce, maxMetadata, maxMetadataKey, maxMetadataValue } = CONVERSATION_LIMITS;

const ID = z.object({ id: z.string().meta({ example: 'conv_01k9zq3v5x7c9e1g3j5m7p9r1t' }) });
const ITEM_ID = ID.extend({ item_id: z.string() });
const ERRORS: readonly ErrorCode[] = [
  ...COMMON_ERRORS,
  'account_suspended',
  'unsupported_parameter',
  'invalid_request',
  'rate_limit_requests',
  'ledger_unavailable',
  'shutting_down',
];
const BODY_ERRORS: readonly ErrorCode[] = [
  ...ERRORS,
  'invalid_json',
  'unsupported_media_type',
  'request_too_large',
  'request_timeout',
  'rate_limit_bodies',
  'gateway_overloaded',
];
const NOT_FOUND = 'conversation_not_found' as const;
const TAGS = ['Conversations'];
const KEPT =
  'Free. Conversations exist for all keys of an account that has turned on stored responses, until its retention after the last change.';

const metadata = z
  .record(z.string().min(1).max(maxMetadataKey), z.string().max(maxMetadataValue))
  .meta({ description: `At most ${maxMetadata} entries` });
const items = z.array(inputItemSchema).max(maxItemsAtOnce);
const conversation = z
  .object({ id: z.string(), object: z.literal('conversation'), created_at: z.int(), metadata })
  .meta({ id: 'Conversation' });
const item = z.looseObject({ id: z.string(), type: z.string() }).meta({ id: 'ConversationItem' });
const itemList = describePage(item).meta({ id: 'ConversationItemList' });
const creation = z
  .looseObject({ items: items.nullish(), metadata: metadata.nullish() })
  .meta({ id: 'ConversationCreation' });
const update = z.looseObject({ metadata: metadata.nullish() }).meta({ id: 'ConversationUpdate' });
const addition = z.looseObject({ items: items.min(1) }).meta({ id: 'ConversationItems' });

const body = (schema: z.ZodType, example: object) => ({
  required: true,
  content: { 'application/json': { schema, example } },
});
const SAID = { items: [{ type: 'message', role: 'user', content: 'Hello' }] };

/** `POST /v1/conversations` */
export const conversationsPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'createConversation',
    tags: TAGS,
    summary: 'Create a conversation (OpenAI)',
    description: `${KEPT} A request to \`/v1/responses\` with \`conversation\` continues it, and its response is added to it.`,
    requestBody: body(creation, { ...SAID, metadata: { topic: 'demo' } }),
    responses: {
      200: successResponse('The conversation', conversation),
      ...errorResponses(['openai-responses'], BODY_ERRORS),
    },
  },
};

/** `GET`, `POST` and `DELETE /v1/conversations/{id}` */
export const conversationPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getConversation',
    tags: TAGS,
    summary: 'Get a conversation (OpenAI)',
    description: KEPT,
    requestParams: { path: ID },
    responses: {
      200: successResponse('The conversation', conversation),
      ...errorResponses(['openai-responses'], [...ERRORS, NOT_FOUND]),
    },
  },
  post: {
    operationId: 'updateConversation',
    tags: TAGS,
    summary: 'Replace the metadata of a conversation (OpenAI)',
    description: KEPT,
    requestParams: { path: ID },
    requestBody: body(update, { metadata: { topic: 'demo' } }),
    responses: {
      200: successResponse('The conversation', conversation),
      ...errorResponses(['openai-responses'], [...BODY_ERRORS, NOT_FOUND]),
    },
  },
  delete: {
    operationId: 'deleteConversation',
    tags: TAGS,
    summary: 'Delete a conversation with its items (OpenAI)',
    description: `${KEPT} Responses that continued it keep a copy until they are deleted or expire.`,
    requestParams: { path: ID },
    responses: {
      200: successResponse(
        'The conversation is deleted',
        z.object({ id: z.string(), object: z.literal('conversation.deleted'), deleted: z.literal(true) }),
      ),
      ...errorResponses(['openai-responses'], [...ERRORS, NOT_FOUND]),
    },
  },
};

/** `POST` and `GET /v1/conversations/{id}/items` */
export const conversationItemsPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'createConversationItems',
    tags: TAGS,
    summary: 'Add items to a conversation (OpenAI)',
    description: KEPT,
    requestParams: { path: ID },
    requestBody: body(addition, SAID),
    responses: {
      200: successResponse('The items', itemList),
      ...errorResponses(['openai-responses'], [...BODY_ERRORS, NOT_FOUND, 'conversation_locked']),
    },
  },
  get: {
    operationId: 'listConversationItems',
    tags: TAGS,
    summary: 'List the items of a conversation (OpenAI)',
    description: KEPT,
    requestParams: {
      path: ID,
      query: pageQuery,
    },
    responses: {
      200: successResponse('A page of items', itemList),
      ...errorResponses(['openai-responses'], [...ERRORS, NOT_FOUND, 'gateway_overloaded']),
    },
  },
};

/** `GET` and `DELETE /v1/conversations/{id}/items/{item_id}` */
export const conversationItemPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getConversationItem',
    tags: TAGS,
    summary: 'Get an item of a conversation (OpenAI)',
    description: KEPT,
    requestParams: { path: ITEM_ID },
    responses: {
      200: successResponse('The item', item),
      ...errorResponses(
        ['openai-responses'],
        [...ERRORS, NOT_FOUND, 'conversation_item_not_found', 'gateway_overloaded'],
      ),
    },
  },
  delete: {
    operationId: 'deleteConversationItem',
    tags: TAGS,
    summary: 'Delete an item of a conversation (OpenAI)',
    description: KEPT,
    requestParams: { path: ITEM_ID },
    responses: {
      200: successResponse('The conversation', conversation),
      ...errorResponses(
        ['openai-responses'],
        [...ERRORS, NOT_FOUND, 'conversation_item_not_found', 'conversation_locked', 'gateway_overloaded'],
      ),
    },
  },
};
