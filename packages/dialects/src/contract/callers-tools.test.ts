import { describe, expect, it } from 'vitest';
import { BASE_CONTRACTS } from './base-contracts.ts';
import { inspectRequest } from './inspect-request.ts';

const { chat } = BASE_CONTRACTS;
const inspect = (tool: object, contract = chat) =>
  inspectRequest({ tools: [{ type: 'function', ...tool }] }, contract);

describe('a tool that the caller runs', () => {
  it.each([
    ['tools.0.file_id', { file_id: 'x' }],
    ['tools.0.container', { container: 'x' }],
    ['tools.0.voice.id', { voice: { id: 'x' } }],
    ['tools.0.function.container.id', { function: { name: 'f', container: { id: 'x' } } }],
  ])('may not use what the provider stores: %s', (param, tool) => {
    expect(inspect({ name: 'f', ...tool }).restricted).toMatchObject([{ param }]);
  });

  it.each([
    ['tools.0.fallback_model', { fallback_model: 'dear' }],
    ['tools.0.custom.model', { custom: { name: 'f', model: 'dear' } }],
  ])('has no model: %s', (param, tool) => {
    expect(inspect({ name: 'f', ...tool }).error).toMatchObject({ param });
  });

  it('may have a model if an operator allows the member', () => {
    const contract = { ...chat, allowed: new Set(['tools.model']) };
    expect(inspect({ name: 'f', model: 'own' }, contract).error).toBeNull();
  });
});
