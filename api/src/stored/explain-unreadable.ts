import { SealBroken } from '@tollgate/auth/seal-compressed';
import { deny, type GatewayError } from '@tollgate/core/errors/errors';

/** The database does not respond. */
export const UNREADABLE = deny(
  'ledger_unavailable',
  'Tollgate cannot read stored responses because its database does not respond. Try again.',
).error;
const BROKEN: GatewayError = {
  code: 'internal_error',
  message:
    "A stored response or conversation cannot be decrypted: it was stored with another encryption key, or was changed. Trying again does not help. Delete it, or contact the gateway's operator.",
  retryAfterMs: null,
};

/** Why something stored could not be read. @param error that was thrown */
export function explainUnreadable(error: unknown): GatewayError {
  return error instanceof SealBroken ? BROKEN : UNREADABLE;
}
