import type { Dialect } from '@tollgate/core/models/dialect';
import { checkChatCompletion, checkOpenAiError } from '@tollgate/testing/conformance/check-chat-completion';
import {
  checkChatCompletionStream,
  type StreamExpectation,
} from '@tollgate/testing/conformance/check-chat-stream';
import { checkMessage, checkMessagesError } from '@tollgate/testing/conformance/check-message';
import { checkMessageStream } from '@tollgate/testing/conformance/check-message-stream';
import { checkResponse } from '@tollgate/testing/conformance/check-response';
import { checkResponseStream } from '@tollgate/testing/conformance/check-response-stream';
import { getCodec, type DialectCodec } from './codec.ts';

/** A codec, and the independent checks of what it writes. */
interface CodecUnderTest extends DialectCodec {
  checkWhole: (value: unknown) => string[];
  checkStream: (body: string, expected: StreamExpectation) => string[];
  checkError: (value: unknown) => string[];
}

export const CODECS: Record<Dialect, CodecUnderTest> = {
  'openai-chat': {
    ...getCodec('openai-chat'),
    checkWhole: checkChatCompletion,
    checkStream: checkChatCompletionStream,
    checkError: checkOpenAiError,
  },
  'anthropic-messages': {
    ...getCodec('anthropic-messages'),
    checkWhole: checkMessage,
    checkStream: checkMessageStream,
    checkError: checkMessagesError,
  },
  'openai-responses': {
    ...getCodec('openai-responses'),
    checkWhole: checkResponse,
    checkStream: checkResponseStream,
    checkError: checkOpenAiError,
  },
};

export type CodecName = Dialect;
