import { describeJob } from '@tollgate/core/runtime/describe-job';
import { expect, it } from 'vitest';
import { JOB_KINDS } from './kinds.ts';

it.each(JOB_KINDS.map(({ name }) => name))('the system page describes the job %s', (name) => {
  expect(describeJob(name)).toMatch(/^[A-Z].*[^.]$/);
});

it('the system page shows only the name of a job of another version', () => {
  expect(describeJob('of-another-version')).toBeNull();
});
