import type { Metered } from './metered.ts';

/** How a request ended. */
export interface Outcome extends Partial<Metered> {
  status: number;
  /** null: answered in full. */
  errorCode: string | null;
}
