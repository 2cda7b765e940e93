import { expect, it } from 'vitest';
import { mayHaveError, redactErrors } from './redact-errors.ts';

const redact = (text: string) => text.replaceAll('SECRET', '[redacted]');

it('redacts errors wherever they are', () => {
  const body = {
    choices: [{ error: { message: 'key SECRET' }, message: { content: 'SECRET' } }],
    x: { error: 'SECRET' },
  };
  expect(mayHaveError(JSON.stringify(body))).toBe(true);
  expect(redactErrors(body, redact)).toEqual({
    choices: [{ error: { message: 'key [redacted]' }, message: { content: 'SECRET' } }],
    x: { error: '[redacted]' },
  });
});

it('leaves the input of a tool as the model wrote it', () => {
  const input = { error: 'SECRET', log: { type: 'error', text: 'SECRET' } };
  const body = { content: [{ type: 'tool_use', name: 'report', input }], error: null };
  expect(redactErrors(body, redact)).toBe(body);
});
