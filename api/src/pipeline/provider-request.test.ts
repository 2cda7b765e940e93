import { expect, it } from 'vitest';
import { ProviderRequest } from './provider-request.ts';

function note(headers: Record<string, string>) {
  const attempt = {};
  const request = new ProviderRequest();
  request.note(attempt, (name) => headers[name] ?? null);
  return { request, attempt };
}

it.each(['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'])('reads %s', (header) => {
  expect(note({ [header]: 'req_011CSHoEeqs5C35K2UUqR7Fy' }).request.id).toBe('req_011CSHoEeqs5C35K2UUqR7Fy');
});

it('leaves out what is no ID', () => {
  expect(note({}).request.id).toBeNull();
  expect(note({ 'x-request-id': 'a b' }).request.id).toBeNull();
  expect(note({ 'x-request-id': 'x'.repeat(129) }).request.id).toBeNull();
  expect(note({ 'x-request-id': '<script>', 'request-id': 'ok' }).request.id).toBe('ok');
});

it('belongs to the attempt that got the last response', () => {
  const { request, attempt } = note({ 'request-id': 'first' });
  expect(request.idOf(attempt)).toBe('first');
  const next = {};
  request.note(next, () => null);
  expect([request.idOf(attempt), request.idOf(next)]).toEqual([null, null]);
});
