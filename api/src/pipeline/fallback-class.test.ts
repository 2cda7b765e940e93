import { expect, it } from 'vitest';
import type { AttemptFailure } from './attempt-failure.ts';
import { classifyError, classifyFailure, coversClass } from './fallback-class.ts';

const ERROR = { code: 'upstream_error' } as AttemptFailure['error'];
const classify = (failure: Partial<AttemptFailure>) =>
  classifyFailure({ error: ERROR, status: null, ...failure } as AttemptFailure);

it.each<[Partial<AttemptFailure>, string]>([
  [{ cause: 'context_length', status: 400 }, 'context'],
  [{ cause: 'content_policy', status: 400 }, 'policy'],
  [{ status: 429 }, 'overload'],
  [{ status: 503 }, 'overload'],
  [{ status: 529 }, 'overload'],
  [{ error: { ...ERROR, code: 'upstream_overloaded' } }, 'overload'],
  [{ status: 500 }, 'failure'],
  [{}, 'failure'],
])('takes %j for %s', (failure, of) => {
  expect(classify(failure)).toBe(of);
});

it('takes a model whose routes are all busy for overloaded', () => {
  expect(classifyError({ code: 'upstream_overloaded' })).toBe('overload');
  expect(classifyError({ code: 'upstream_error' })).toBe('failure');
});

it('tries the fallback models of failures after an overload too, and no other ones', () => {
  expect(coversClass(['failure'], 'overload')).toBe(true);
  expect(coversClass(['overload'], 'overload')).toBe(true);
  expect(coversClass(['overload'], 'failure')).toBe(false);
  expect(coversClass(['failure'], 'context')).toBe(false);
  expect(coversClass(['failure', 'overload'], 'policy')).toBe(false);
});
