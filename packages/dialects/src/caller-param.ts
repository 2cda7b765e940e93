import type { GatewayError } from '@tollgate/core/errors/errors';
import type { Dialect } from '@tollgate/core/models/dialect';

/**
 * The place of an error that an encoder found, as the caller knows it. Encoders count the messages of the canonical request;
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

const LISTS: Readonly<Record<Dialect, string>> = {
  'openai-chat': 'messages',
  'anthropic-messages': 'messages',
  'openai-responses': 'input',
};

/**
 * An error about a request that was written for a provider of another dialect, as its caller knows the request: places in the
 * conversation differ, so only its list can be named.
 */
export function toCallerError(dialect: Dialect, error: GatewayError): GatewayError {
  const { param, message } = error;
  if (param === undefined || !/^(?:messages|input)\./.test(param)) return error;
  const list = LISTS[dialect];
  return {
    ...error,
    param: list,
    message: message.replaceAll(param, `${param.split('.').at(-1)} in ${list}`),
  };
}

/** What is called differently in each dialect, and is not always sent as given. */
const SETTINGS = {
  limit: {
    'openai-chat': 'max_tokens',
    'anthropic-messages': 'max_tokens',
    'openai-responses': 'max_output_tokens',
  },
  effort: {
    'openai-chat': 'reasoning_effort',
    'anthropic-messages': 'output_config.effort',
    'openai-responses': 'reasoning.effort',
  },
  reasoning: {
    'openai-chat': 'reasoning_effort',
    'anthropic-messages': 'thinking',
    'openai-responses': 'reasoning',
  },
  // A separate member, or a value of `include`.
  logprobs: {
    'openai-chat': 'logprobs',
    'anthropic-messages': 'logprobs',
    'openai-responses': 'include',
  },
  verbosity: {
    'openai-chat': 'verbosity',
    'anthropic-messages': 'verbosity',
    'openai-responses': 'text.verbosity',
  },
  stop: { 'openai-chat': 'stop', 'anthropic-messages': 'stop_sequences', 'openai-responses': 'stop' },
} satisfies Record<string, Record<Dialect, string>>;

/** A map, because a caller may call a member `toString`. */
const SETTING_BY_NAME: ReadonlyMap<string, keyof typeof SETTINGS> = new Map([
  ['max_tokens', 'limit'],
  ['max_completion_tokens', 'limit'],
  ['max_output_tokens', 'limit'],
  ['reasoning_effort', 'effort'],
  ['reasoning.effort', 'effort'],
  ['output_config.effort', 'effort'],
  ['thinking', 'reasoning'],
  ['logprobs', 'logprobs'],
  ['include', 'logprobs'],
  ['verbosity', 'verbosity'],
  ['text.verbosity', 'verbosity'],
  ['stop', 'stop'],
]);

/** The name of a setting that an encoder changed or left out, as the caller knows it. */
export function toCallerSetting(dialect: Dialect, name: string): string {
  const setting = SETTING_BY_NAME.get(name);
  return setting === undefined ? name : SETTINGS[setting][dialect];
}
