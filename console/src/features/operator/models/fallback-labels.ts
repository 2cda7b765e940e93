import type { FallbackClass } from '@tollgate/core/models/fallback-model';

interface ClassLabel {
  /** In a list. */
  short: string;
  /** For a choice. */
  label: string;
}

/** When a fallback model is tried. */
export const FALLBACK_LABELS: Record<FallbackClass, ClassLabel> = {
  failure: { short: 'Failure', label: 'No route answers' },
  overload: { short: 'Overload', label: 'Providers are overloaded' },
  context: { short: 'Context', label: 'The input is too long' },
  policy: { short: 'Policy', label: 'A provider refuses the content' },
};
