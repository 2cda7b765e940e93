import { deny, type Result } from '@tollgate/core/errors/errors';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import {
  applyTermsToObject,
  decideTerms,
  type BodyTerms,
  type TermsPolicy,
} from '@tollgate/dialects/contract/body-terms';
import type { RequestContract } from '@tollgate/dialects/contract/contract';
import { classifyBody, type ClassifiedBody } from '@tollgate/dialects/contract/request-members';
import { inspectRequest } from '@tollgate/dialects/contract/inspect-request';
import { isSameNeed, type Inspection } from '@tollgate/dialects/contract/inspection';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';

/** The terms that a translated request was admitted with. */
export interface EncodedTerms {
  needs: readonly RateNeed[];
  policy: TermsPolicy;
  /** True: it was admitted with tools whose calls nothing limits or counts. */
  hasUncountedTools: boolean;
  /** True: it was admitted with a compaction of its conversation. */
  hasCompaction: boolean;
}

/**
 * Checks an encoded request against the contract of its provider.
 * @returns the body to send; an error if it names another model, or may cost what it was not admitted with
 */
export function fitEncoded(
  object: JsonObject,
  contract: RequestContract,
  terms: EncodedTerms,
): Result<{ object: JsonObject; dropped: readonly string[] }> {
  const judged = judgeEncoded(classifyBody(object), contract, terms);
  if (!judged.ok) return judged;
  const { dropped } = judged.value;
  return { ok: true, value: { object: applyTermsToObject(object, judged.value), dropped } };
}

/** The same for its classified members. @returns how its members change */
export function judgeEncoded(
  { members, conversation }: ClassifiedBody,
  contract: RequestContract,
  admitted: EncodedTerms,
): Result<BodyTerms> {
  const found = inspectRequest(members, contract, conversation);
  const terms = decideTerms(found, admitted.policy);
  if (!terms.ok) return terms;
  const what = findStray(found, admitted);
  if (what !== null) {
    return deny('unsupported_parameter', `This model's provider does not support ${what} here. Remove it.`, {
      param: what,
    });
  }
  return terms;
}

/** The member of an encoded request that it was not admitted with; null: none. */
function findStray(found: Inspection, admitted: EncodedTerms): string | null {
  const need = found.needs.find((each) => !admitted.needs.some((known) => isSameNeed(known, each)));
  if (need !== undefined) return need.kind;
  const [named] = found.models;
  if (named !== undefined) return named.param;
  if (found.hasUncountedTools && !admitted.hasUncountedTools) return 'tools';
  return found.hasCompaction && !admitted.hasCompaction ? 'context_management' : null;
}
