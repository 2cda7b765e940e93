import type { Entry } from '../enter.ts';

/** Result of a sign-in at an external provider. */
export type ExternalOutcome =
  | (Entry & { redirect: string | null })
  /** A login with this email exists: its owner must confirm the link. */
  | { next: 'confirm'; email: string; byPassword: boolean }
  | { next: 'linked' }
  /** The session has re-authenticated. */
  | { next: 'confirmed'; redirect: string | null };
