import Anthropic from '@anthropic-ai/sdk';
import type { FakeDialect } from '@tollgate/testing/fake-provider/script';
import OpenAI from 'openai';
import { MODEL, type Gateway } from '../gateway-fixture.ts';

/** How to request a stream in one dialect, and how it can end. */
export interface StreamEndpoint {
  dialect: FakeDialect;
  path: string;
  headers: Record<string, string>;
  terminator: string;
  /** Matches a complete last event, with or without its blank line. */
  wholeEnd: RegExp;
  /** The last bytes of an event after which a provider may close the connection. */
  ending: string;
  /** Matches the last event of a broken stream. */
  errorEvent: RegExp;
  /** Reads the whole stream with the dialect's SDK. */
  readWithSdk(): Promise<unknown>;
}

export const STREAM_REQUEST = {
  model: MODEL,
  max_tokens: 64,
  messages: [{ role: 'user' as const, content: 'Hi' }],
  stream: true as const,
};

export function getStreamEndpoints({ baseUrl, secret }: Gateway): StreamEndpoint[] {
  const openai = new OpenAI({ baseURL: baseUrl, apiKey: secret, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: baseUrl, apiKey: secret, maxRetries: 0 });
  return [
    {
      dialect: 'openai-chat',
      path: '/chat/completions',
      headers: { authorization: `Bearer ${secret}` },
      terminator: '[DONE]',
      wholeEnd: /\ndata: \[DONE\]\n*$/,
      ending: '"finish_reason":"stop"}',
      errorEvent: /(^|\n\n)data: \{"error":\{[^\n]*"code":"upstream_[a-z]+"[^\n]*\}\n\n$/,
      readWithSdk: async () => Array.fromAsync(await openai.chat.completions.create(STREAM_REQUEST)),
    },
    {
      dialect: 'anthropic-messages',
      path: '/messages',
      headers: { 'x-api-key': secret, 'anthropic-version': '2023-06-01' },
      terminator: 'message_stop',
      wholeEnd: /\nevent: message_stop\ndata: \{"type":"message_stop"\}\n*$/,
      ending: 'data: {"type":"message_stop"}',
      errorEvent: /(^|\n\n)event: error\ndata: \{"type":"error","error":\{"type":"[a-z_]+"[^\n]*\}\n\n$/,
      readWithSdk: () => anthropic.messages.stream(STREAM_REQUEST).finalMessage(),
    },
  ];
}
