import { checkChatCompletion, checkOpenAiError } from '@tollgate/testing/conformance/check-chat-completion';
import {
  checkChatCompletionStream,
  type StreamExpectation,
} from '@tollgate/testing/conformance/check-chat-stream';
import { checkMessage, checkMessagesError } from '@tollgate/testing/conformance/check-message';
import { checkMessageStream } from '@tollgate/testing/conformance/check-message-stream';
import { checkResponse } from '@tollgate/testing/conformance/check-response';
import { checkResponseStream } from '@tollgate/testing/conformance/check-response-stream';

/** An endpoint of the gateway as seen by a plain HTTP caller, and what holds for all its responses. */
export interface TestedEndpoint {
  dialect: 'openai-chat' | 'anthropic-messages' | 'openai-responses';
  path: string;
  /** The headers that authorize a request; the content type is JSON. */
  headers(secret: string): Record<string, string>;
  checkWhole: (value: unknown) => string[];
  checkStream: (body: string, expected: StreamExpectation) => string[];
  checkError: (value: unknown) => string[];
}

const JSON_TYPE = { 'content-type': 'application/json' };

export const TESTED_ENDPOINTS: readonly TestedEndpoint[] = [
  {
    dialect: 'openai-chat',
    path: '/chat/completions',
    headers: (secret) => ({ ...JSON_TYPE, authorization: `Bearer ${secret}` }),
    checkWhole: checkChatCompletion,
    checkStream: checkChatCompletionStream,
    checkError: checkOpenAiError,
  },
  {
    dialect: 'anthropic-messages',
    path: '/messages',
    headers: (secret) => ({ ...JSON_TYPE, 'x-api-key': secret, 'anthropic-version': '2023-06-01' }),
    checkWhole: checkMessage,
    checkStream: checkMessageStream,
    checkError: checkMessagesError,
  },
  {
    dialect: 'openai-responses',
    path: '/responses',
    headers: (secret) => ({ ...JSON_TYPE, authorization: `Bearer ${secret}` }),
    checkWhole: checkResponse,
    checkStream: checkResponseStream,
    checkError: checkOpenAiError,
  },
];
