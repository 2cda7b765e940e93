import { Search } from 'lucide-react';
import { cn } from '../../../lib/cn.ts';
import { MODIFIER_LABEL } from '../../../lib/hotkeys.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { openPalette } from './command-palette.tsx';

/** Opens the command palette, and shows its shortcut if there is space and a keyboard. */
export function PaletteButton({ className }: { className?: string }) {
  return (
    <Button
      variant="ghost"
      aria-keyshortcuts="Meta+K Control+K"
      title="Search and commands"
      onClick={openPalette}
      className={cn('px-2', className)}
    >
      <Search aria-hidden className="size-4 text-ink-3" />
      <span className="sr-only">Search and commands</span>
      <span aria-hidden className="flex gap-0.5 max-md:hidden pointer-coarse:hidden">
        <Kbd>{MODIFIER_LABEL}</Kbd>
        <Kbd>K</Kbd>
      </span>
    </Button>
  );
}
