import type { GatewayError, StoredCode } from '@tollgate/core/errors/errors';
import type { Metered } from './metered.ts';

/** How a request ended. */
export interface Outcome extends Partial<Metered> {
  status: number;
  /** null: answered in full. */
  errorCode: StoredCode | null;
  /** What the caller got; absent, null: no error. */
  error?: Pick<GatewayError, 'message' | 'param'> | null;
}
