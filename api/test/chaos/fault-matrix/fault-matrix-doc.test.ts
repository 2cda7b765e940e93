import { expect, it } from 'vitest';
import { FAULT_GROUPS, FAULTS } from './faults/all-faults.ts';
import { renderFaultDoc } from './render-faults.ts';

it('docs/provider-faults.md matches the tables of faults', async () => {
  await expect(renderFaultDoc(FAULT_GROUPS)).toMatchFileSnapshot('../../../../docs/provider-faults.md');
});

it('each fault has a different name', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});
