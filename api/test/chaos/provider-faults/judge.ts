import type { Profile } from './profile.ts';
import type { Scenario } from './scenario.ts';
import type { Seen } from './seen.ts';

/**
 * - `pass`: the best end, and every check holds
 * - `partial`: the best end, but an advisory check does not hold
 * - `safe`: a clear error in time, and every other check holds
 * - `fail`: a check does not hold, a hang, or a response that is not complete
 */
export type Verdict = 'pass' | 'partial' | 'safe' | 'fail';

export interface Judgement {
  verdict: Verdict;
  /** Checks that do not hold, or the error. */
  reason: string;
}

export function judge({ checks, ideal }: Scenario, seen: Seen, profile: Profile): Judgement {
  const { answer, isComplete } = seen;
  const broken = checks.filter((check) => !check.holds(seen, profile));
  const required = broken.filter((check) => check.isAdvisory !== true);
  if (answer.outcome === 'hang') return { verdict: 'fail', reason: 'hang' };
  if (answer.outcome === 'response' && ideal === 'response') {
    if (!isComplete) return { verdict: 'fail', reason: `a response of ${answer.text.length} characters` };
    if (!answer.hasTerminator) return { verdict: 'fail', reason: 'no terminator' };
  }
  if (required.length > 0) return { verdict: 'fail', reason: joinNames(required) };
  if (answer.outcome !== ideal)
    return ideal === 'error'
      ? { verdict: 'partial', reason: 'answered in spite of the refusal' }
      : { verdict: 'safe', reason: answer.error ?? 'error' };
  return broken.length === 0
    ? { verdict: 'pass', reason: '' }
    : { verdict: 'partial', reason: joinNames(broken) };
}

function joinNames(checks: Scenario['checks']): string {
  return checks.map(({ name }) => name).join(', ');
}
