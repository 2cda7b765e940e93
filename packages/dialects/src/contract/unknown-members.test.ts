import { describe, expect, it } from 'vitest';
import { BASE_CONTRACTS } from './base-contracts.ts';
import type { ContractEndpoint } from './contract.ts';
import { inspectRequest } from './inspect-request.ts';

const inspect = (body: Record<string, unknown>, endpoint: ContractEndpoint = 'chat') =>
  inspectRequest(body, BASE_CONTRACTS[endpoint]);

describe('members that no contract knows', () => {
  it.each(['chat', 'messages', 'responses'] as const)('are accepted up to 100 of them: %s', (endpoint) => {
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`z${at}`, 1]));
    expect(inspect(members(100), endpoint).error).toBeNull();
    expect(inspect(members(101), endpoint).error).toMatchObject({ code: 'invalid_request', param: 'z100' });
    expect(inspect({ ['z'.repeat(1_000)]: 1 }, endpoint).error).toBeNull();
    const { error, unknown } = inspect({ ['z'.repeat(1_001)]: 1 }, endpoint);
    expect([error?.code, error?.param?.length, unknown]).toEqual(['invalid_request', 201, []]);
    const models = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`model${at}`, 1]));
    const found = inspect(models, endpoint);
    expect(found.error).toMatchObject({ code: 'invalid_request', param: 'model100' });
    expect(found.dropped).toHaveLength(100);
  });

  it('are accepted up to 100 of them in an object, and as kinds of tools', () => {
    const options = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`z${at}`, 1]));
    expect(inspect({ stream_options: options }).error).toMatchObject({
      code: 'invalid_request',
      param: 'stream_options.z100',
    });
    const tools = (kind: (at: number) => string) =>
      Array.from({ length: 101 }, (_, at) => ({ type: kind(at) }));
    expect(inspect({ tools: tools((at) => `z${at}`) }).error).toMatchObject({ param: 'tools.100.type' });
    expect(inspect({ tools: tools(() => 'z') }).error).toBeNull();
  });
});
