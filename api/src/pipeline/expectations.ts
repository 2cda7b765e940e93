import type { Clock } from '@tollgate/core/runtime/clock';
import { ExpectedCacheReads } from '@tollgate/limits/expected-cache-reads';
import { ExpectedOutput } from '@tollgate/limits/expected-output';
import { OutputSpeeds } from '@tollgate/limits/output-speed';

/** What this process has learned from responses, for what it expects of others. */
export interface Expectations {
  /** The recent response length of each model. */
  expected: ExpectedOutput;
  /** What sessions read from prompt caches, for the tokens that a request reserves. */
  cacheReads: ExpectedCacheReads;
  /** The output speed of each model, and its share of hidden output. */
  outputSpeeds: OutputSpeeds;
}

export function createExpectations(clock: Clock): Expectations {
  return {
    expected: new ExpectedOutput(),
    cacheReads: new ExpectedCacheReads(clock),
    outputSpeeds: new OutputSpeeds(),
  };
}
