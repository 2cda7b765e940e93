import { TRPCError } from '@trpc/server';
import type { FieldIssue } from './zod-issues.ts';

type DenialCode = 'BAD_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'TOO_MANY_REQUESTS';

/** What the browser gets next to the sentence, in `error.data`. */
export interface DenialDetail {
  /** For programs. */
  reason?:
    | 'email_not_verified'
    | 'viewing'
    | 'confirm_identity'
    | 'sign_in_again'
    | 'role'
    | 'membership'
    | 'wrong_credentials'
    | 'sign_up_closed'
    /** Of signing in with a provider. */
    | 'external_denied'
    | 'external_expired'
    | 'external_failed'
    | 'external_taken'
    | 'external_unverified'
    /** Another login of the provider than the linked one. */
    | 'external_other'
    /** The provider did not prove a new sign-in. */
    | 'external_not_fresh'
    /** The address of an invitation has a login already. */
    | 'has_login'
    | 'last_way_in'
    /** The account or the installation requires a second factor, and this session has not used one. */
    | 'two_factor_required'
    /** A session that requires a second factor of others must have used one itself. */
    | 'own_factor'
    | 'origin';
  /** The invalid field of the form. */
  field?: string;
  /** Every error of the form, if several fields may have one. */
  issues?: FieldIssue[];
  retryAfterSeconds?: number;
}

/** Carries the detail of a denial to the error formatter. */
export class Denial extends Error {
  readonly detail: DenialDetail;
  constructor(message: string, detail: DenialDetail) {
    super(message);
    this.name = 'Denial';
    this.detail = detail;
  }
}

/** An expected refusal. @param message a sentence for people */
export function deny(code: DenialCode, message: string, detail: DenialDetail = {}): TRPCError {
  return new TRPCError({ code, message, cause: new Denial(message, detail) });
}

/** The same words whether the thing does not exist or belongs to another person. */
export function notFound(what: string): TRPCError {
  return deny('NOT_FOUND', `This ${what} does not exist.`);
}
