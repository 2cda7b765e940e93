import { globSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONGEST } from './vitest.suites.ts';

const ROOT = import.meta.dirname;
const longest = new Set(globSync(LONGEST, { cwd: ROOT }).map((file) => path.join(ROOT, file)));

/** Starts the longest files of each project first, also in a clone that knows no durations because it has not run them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of the sequencer, not of an array
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project.name);
    return [...projects.values()].flatMap((own) => [
      ...own.filter(({ moduleId }) => longest.has(moduleId)),
      ...own.filter(({ moduleId }) => !longest.has(moduleId)),
    ]);
  }
}
