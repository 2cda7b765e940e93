import { expect, it } from 'vitest';
import { mayHaveError, redactErrorEvent, redactErrors } from './redact-errors.ts';

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

it.each(['input', 'action', 'operation', 'arguments'])('leaves %s as the model wrote it', (name) => {
  const body = { output: [{ type: 'call', [name]: { error: 'SECRET' } }], error: null };
  expect(redactErrors(body, redact)).toBe(body);
});

it('leaves the caller’s content unchanged', () => {
  const schema = { type: 'object', properties: { error: { description: 'SECRET' } } };
  const body = {
    tools: [{ type: 'function', name: 'f', parameters: schema }],
    text: { format: { type: 'json_schema', schema } },
    metadata: { error: 'SECRET' },
    error: { message: 'SECRET' },
  };
  expect(redactErrors(body, redact)).toEqual({ ...body, error: { message: '[redacted]' } });
});

it('redacts an error fifteen levels deep', () => {
  const nest = (text: string) =>
    Array.from({ length: 15 }).reduce<object>((inner) => ({ x: inner }), { error: text });
  expect(redactErrors(nest('SECRET'), redact)).toEqual(nest('[redacted]'));
});

it('redacts everything except the answer in an error event', () => {
  const response = { output: [{ text: 'SECRET' }], instructions: 'SECRET', usage: { input_tokens: 1 } };
  expect(
    redactErrorEvent({ message: 'SECRET', api_key: 'x', response: { ...response, error: 'SECRET' } }, redact),
  ).toEqual({ message: '[redacted]', api_key: '[redacted]', response: { ...response, error: '[redacted]' } });
  expect(redactErrorEvent({ error: true, message: 'SECRET' }, redact)).toEqual({
    error: true,
    message: '[redacted]',
  });
});
