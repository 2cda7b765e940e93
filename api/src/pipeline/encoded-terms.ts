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
import { isSameNeed } from '@tollgate/dialects/contract/inspection';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';

/** The terms that a translated request was admitted with. */
export interface EncodedTerms {
  needs: readonly RateNeed[];
  policy: TermsPolicy;
}

/**
 * Checks an encoded request against the contract of its provider.
 * @returns the body to send; an error if it names another model, or needs a rate that it was not admitted with
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
  { needs, policy }: EncodedTerms,
): Result<BodyTerms> {
  const found = inspectRequest(members, contract, conversation);
  const terms = decideTerms(found, policy);
  if (!terms.ok) return terms;
  const stray = found.needs.find((need) => !needs.some((known) => isSameNeed(known, need)));
  if (stray !== undefined || found.models.length > 0) {
    const what = stray === undefined ? (found.models[0]?.param ?? 'model') : stray.kind;
    return deny('unsupported_parameter', `This model's provider does not support ${what} here. Remove it.`, {
      param: what,
    });
  }
  return terms;
}
