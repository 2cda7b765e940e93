import { fromLocalField } from '../../../lib/format/local-field.ts';

export const EXPIRY_CHOICES = ['never', '7', '30', '90', 'on'] as const;
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number];

export const EXPIRY_LABELS: Record<ExpiryChoice, string> = {
  never: 'Never',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  on: 'Custom…',
};

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Resolves an expiry choice to a date.
 * @param localText value of the `datetime-local` field, used for `on`
 * @returns null for `never`; `'invalid'` if no valid date is entered
 */
export function getExpiry(choice: ExpiryChoice, localText: string, nowMs: number): Date | null | 'invalid' {
  switch (choice) {
    case 'never':
      return null;
    case 'on': {
      const iso = fromLocalField(localText);
      return iso === undefined ? 'invalid' : new Date(iso);
    }
    case '7':
    case '30':
    case '90':
      return new Date(nowMs + Number(choice) * DAY_MS);
  }
}
