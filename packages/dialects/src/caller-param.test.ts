import { expect, it } from 'vitest';
import { toCallerError, toCallerSetting } from './caller-param.ts';

it("a setting has the name of the caller's dialect, other members keep their own", () => {
  expect(toCallerSetting('openai-responses', 'max_tokens')).toBe('max_output_tokens');
  expect(toCallerSetting('anthropic-messages', 'stop')).toBe('stop_sequences');
  expect(toCallerSetting('openai-responses', 'thinking')).toBe('reasoning');
  expect(toCallerSetting('openai-chat', 'text.verbosity')).toBe('verbosity');
  expect(toCallerSetting('openai-responses', 'verbosity')).toBe('text.verbosity');
  expect(toCallerSetting('openai-chat', 'include')).toBe('logprobs');
  expect(toCallerSetting('openai-responses', 'logprobs')).toBe('include');
  for (const name of ['toString', 'constructor', '__proto__', 'seed'])
    expect(toCallerSetting('openai-chat', name)).toBe(name);
});

it('an error about the body for the provider names what the caller sent', () => {
  const param = 'messages.0.content.0.source.file_id';
  const error = { code: 'unsupported_parameter', message: `${param} is not supported.`, param } as const;
  expect(toCallerError('openai-responses', error)).toMatchObject({
    param: 'input',
    message: 'file_id in input is not supported.',
  });
  expect(toCallerError('openai-chat', { ...error, param: 'input.0' })).toMatchObject({ param: 'messages' });
  expect(toCallerError('openai-chat', { ...error, param: 'tools.0' })).toMatchObject({ param: 'tools.0' });
});
