import type { Dialect } from '@tollgate/core/models/dialect';

/**
 * The place of a fault that an encoder found, as the caller knows it. Encoders count the messages of the canonical request;
 * if the caller's dialect splits turns differently, only their list can be named.
 * @param param as the encoder returns it: `messages.3.content.1`
 */
export function toCallerParam(dialect: Dialect, param: string): string {
  if (!param.startsWith('messages.')) return param;
  switch (dialect) {
    case 'openai-chat':
      return param;
    case 'anthropic-messages':
      return 'messages';
    case 'openai-responses':
      return 'input';
  }
}
