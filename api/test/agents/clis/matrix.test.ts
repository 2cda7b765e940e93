import { expect, it } from 'vitest';
import { findMatrixFaults } from './matrix.ts';

it('holds the table of tested clients as the tests write it', async () => {
  expect(await findMatrixFaults()).toEqual([]);
});
