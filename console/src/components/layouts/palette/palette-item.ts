import type { LucideIcon } from 'lucide-react';

export const PALETTE_GROUPS = [
  'Pages',
  'Actions',
  'Requests',
  'Keys',
  'Payments',
  'Members',
  'Models',
  'All accounts',
] as const;
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

/** Something that the palette finds and does. */
export interface PaletteItem {
  id: string;
  group: PaletteGroup;
  label: string;
  /** Next to the label, in a lighter colour. */
  hint?: string;
  /** Other words by which it is found. */
  words?: string;
  /** True: the server found it, so it is shown however it matches. */
  isFound?: boolean;
  icon: LucideIcon;
  run: () => void;
}
