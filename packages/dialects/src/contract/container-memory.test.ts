import { expect, it } from 'vitest';
import { BASE_CONTRACTS, buildContracts } from './base-contracts.ts';
import { inspectRequest } from './inspect-request.ts';

const PARAM = 'tools.0.container.memory_limit';

/** @returns the paths that are rejected on plans that charge money */
function listRestricted(memory: unknown, { responses } = BASE_CONTRACTS): string[] {
  const container = { type: 'auto', ...(memory !== undefined && { memory_limit: memory }) };
  const tools = [{ type: 'code_interpreter', container }];
  return inspectRequest({ tools }, responses).restricted.map(({ param }) => param);
}

it.each(['4g', '64g', 2, ''])('a container with the memory %j has no price', (memory) => {
  expect(listRestricted(memory)).toContain(PARAM);
});

it.each([undefined, null, '1g'])('a container with the memory %j has the standard price', (memory) => {
  expect(listRestricted(memory)).not.toContain(PARAM);
});

it('the operator can allow containers with more memory', () => {
  expect(listRestricted('4g', buildContracts({}, ['tools.memory_limit']))).not.toContain(PARAM);
});
