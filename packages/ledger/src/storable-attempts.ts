import type { RequestRecord } from '@tollgate/core/money/ledger';
import { boundMessage, boundName } from '@tollgate/core/requests/storable-name';

/** Most requests have one attempt, which is not listed. */
export function boundAttempts(attempts: RequestRecord['attempts']): RequestRecord['attempts'] {
  if (attempts === null) return null;
  return attempts.map((attempt) => {
    const { message, detail, model, errorType, errorMessage, requestId } = attempt;
    return {
      ...attempt,
      upstreamModel: boundName(attempt.upstreamModel),
      ...(model !== undefined && { model: boundName(model) }),
      ...(requestId !== undefined && { requestId: boundName(requestId) }),
      ...(message !== undefined && { message: boundMessage(message) }),
      ...(detail !== undefined && { detail: boundMessage(detail) }),
      ...(errorType !== undefined && { errorType: boundName(errorType) }),
      ...(errorMessage !== undefined && { errorMessage: boundMessage(errorMessage) }),
    };
  });
}
