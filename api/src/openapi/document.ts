import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import packageJson from '../../package.json' with { type: 'json' };
import { describeList } from './describe-list.ts';
import { chatCompletionsPath } from './paths/chat-completions.ts';
import { compactResponsePath } from './paths/compact-response.ts';
import {
  conversationItemPath,
  conversationItemsPath,
  conversationPath,
  conversationsPath,
} from './paths/conversations.ts';
import { countTokensPath } from './paths/count-tokens.ts';
import { embeddingsPath } from './paths/embeddings.ts';
import { healthPath, readinessPath, rootPath } from './paths/health.ts';
import { inputTokensPath } from './paths/input-tokens.ts';
import { keyPath } from './paths/key.ts';
import { messagesPath } from './paths/messages.ts';
import { modelPath, modelsPath } from './paths/models.ts';
import { responsesPath } from './paths/responses.ts';
import { cancelResponsePath, inputItemsPath, storedResponsePath } from './paths/stored-responses.ts';
import { chatCompletionChunkSchema } from './schemas/chat-completion.ts';
import { messageEventSchema } from './schemas/message.ts';
import { responseEventSchema } from './schemas/response.ts';

/** Every documented endpoint: to add one, add a file in `paths` and a line here. */
const PATHS: ZodOpenApiPathsObject = {
  '/v1/chat/completions': chatCompletionsPath,
  '/v1/messages': messagesPath,
  '/v1/messages/count_tokens': countTokensPath,
  '/v1/responses': responsesPath,
  '/v1/responses/input_tokens': inputTokensPath,
  '/v1/responses/compact': compactResponsePath,
  '/v1/responses/{id}': storedResponsePath,
  '/v1/responses/{id}/input_items': inputItemsPath,
  '/v1/responses/{id}/cancel': cancelResponsePath,
  '/v1/conversations': conversationsPath,
  '/v1/conversations/{id}': conversationPath,
  '/v1/conversations/{id}/items': conversationItemsPath,
  '/v1/conversations/{id}/items/{item_id}': conversationItemPath,
  '/v1/embeddings': embeddingsPath,
  '/v1/models': modelsPath,
  '/v1/models/{id}': modelPath,
  '/v1/key': keyPath,
  '/': rootPath,
  '/healthz': healthPath,
  '/readyz': readinessPath,
};

const DESCRIPTION = `One base URL for the models of many providers, in the dialects of OpenAI (Chat Completions, Responses) and Anthropic (Messages).

Set an SDK's base URL to the address of this API, ending with \`/v1\`, and its API key to a key that you created in the console.`;

/** The OpenAPI 3.1 description, generated from the schemas that validate requests and shape responses. */
export function createOpenApiDocument(): ReturnType<typeof createDocument> {
  const described: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Tollgate API',
      version: packageJson.version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This API' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [
      { name: 'Completions', description: 'Send a request to a model.' },
      { name: 'Stored responses', description: 'Read and delete responses that the account stores.' },
      { name: 'Conversations', description: 'Keep conversations that responses continue.' },
      { name: 'Embeddings', description: 'Create embeddings of texts.' },
      { name: 'Models', description: 'List available models and their prices.' },
      { name: 'Key', description: 'Read the scope, spend and limits of a key.' },
      { name: 'Health', description: 'For operators and load balancers. No key is required.' },
    ],
    paths: PATHS,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `sk-…`' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The header that Anthropic’s SDKs send',
        },
      },
      // Not referenced by a response: these are event data.
      schemas: {
        ChatCompletionChunk: chatCompletionChunkSchema,
        MessageStreamEvent: messageEventSchema,
        ResponseStreamEvent: responseEventSchema,
      },
    },
  };
  return createDocument(described, { override: describeList });
}
