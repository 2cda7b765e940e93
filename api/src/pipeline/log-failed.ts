import { explainCode } from '@tollgate/core/errors/explain-code';
import type { AttemptRecord, RequestRecord } from '@tollgate/core/money/ledger';
import { describeDecision } from '@tollgate/core/requests/describe-decision';
import { describeOutcome } from '@tollgate/core/requests/describe-outcome';
import { BudgetPerSecond } from './budget-per-second.ts';

/** More would slow every request while a provider is down. */
const MAX_LINES_PER_SECOND = 100;
const BUDGET = new BudgetPerSecond(MAX_LINES_PER_SECOND);
let leftOut = 0;

/**
 * Logs a request that the gateway or a provider failed, in the words of the console's request drawer. A disconnect, and
 * what the gateway refuses without a provider, such as a request above a rate limit, is only in the request log; so is what
 * exceeds 100 lines a second. A request that a provider refuses has a line, also if its caller could have known better.
 */
export function logFailed(log: FailureLog, record: FailedRecord, budget = BUDGET): void {
  const { id, errorCode, status, errorMessage, errorParam, model, attempts } = record;
  if (errorCode === null || errorCode === 'client_gone') return;
  if (status < 500 && record.provider === null) return;
  if (!budget.take(1)) {
    leftOut += 1;
    return;
  }
  log.warn(
    {
      requestId: id,
      code: errorCode,
      status,
      model,
      message: errorMessage ?? undefined,
      param: errorParam ?? undefined,
      meaning: explainCode(errorCode)?.operator,
      attempts: attempts?.map(describeAttempt),
      leftOut: takeLeftOut(),
    },
    'a request failed',
  );
}

/** @returns the number of failed requests without a line since the last one; undefined: none */
function takeLeftOut(): number | undefined {
  const count = leftOut;
  leftOut = 0;
  return count === 0 ? undefined : count;
}

/** The part of a logger that is needed. */
export interface FailureLog {
  warn: (line: object, text: string) => void;
}

type FailedRecord = Pick<
  RequestRecord,
  'id' | 'errorCode' | 'status' | 'errorMessage' | 'errorParam' | 'model' | 'provider' | 'attempts'
>;

/** `acme m-large: HTTP 529. overloaded_error: Overloaded. The gateway tried another route.` */
function describeAttempt(attempt: AttemptRecord): string {
  const { provider, upstreamModel, outcome, errorType, errorMessage, message, detail } = attempt;
  const said = [errorType, errorMessage, message, detail].filter((text) => text !== undefined).join(': ');
  const decision = describeDecision({ next: attempt.next ?? null, why: attempt.why ?? null });
  const sentences = [describeOutcome(outcome), said, decision ?? ''].filter((text) => text !== '');
  const text = sentences.map((part) => (part.endsWith('.') ? part : `${part}.`)).join(' ');
  return `${provider} ${upstreamModel}: ${text}`;
}
