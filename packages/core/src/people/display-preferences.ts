export const THEMES = ['light', 'dark', 'system'] as const;
/** `rounded`: to cents, or two significant digits. `exact`: to the nano-dollar. */
export const MONEY_PRECISIONS = ['rounded', 'exact'] as const;

/** How a person wants the console to look. Stored with the login. */
export interface DisplayPreferences {
  /** null: never chosen; the browser decides. */
  theme: (typeof THEMES)[number] | null;
  /** IANA name; null: of the browser. */
  timeZone: string | null;
  moneyPrecision: (typeof MONEY_PRECISIONS)[number];
}

/** Of visitors, and of people who chose nothing. */
export const DEFAULT_DISPLAY: DisplayPreferences = {
  theme: null,
  timeZone: null,
  moneyPrecision: 'rounded',
};
