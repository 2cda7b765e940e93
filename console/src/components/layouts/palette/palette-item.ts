import type { LucideIcon } from 'lucide-react';

export const PALETTE_GROUPS = ['Pages', 'Actions', 'Keys', 'Models'] as const;
type PaletteGroup = (typeof PALETTE_GROUPS)[number];

/** Something that the palette finds and does. */
export interface PaletteItem {
  id: string;
  group: PaletteGroup;
  label: string;
  /** Next to the label, in a lighter colour. */
  hint?: string;
  /** Other words by which it is found. */
  words?: string;
  icon: LucideIcon;
  run: () => void;
}
