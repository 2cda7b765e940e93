import { expect, it } from 'vitest';
import { findPythonFaults } from '../../python/python-matrix.ts';
import { findMatrixProblems } from './matrix.ts';

it('holds the tables of tested clients as the tests write them', () => {
  expect(findMatrixProblems()).toEqual([]);
  expect(findPythonFaults()).toEqual([]);
});
