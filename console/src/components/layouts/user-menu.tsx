import { THEMES } from '@tollgate/core/people/display-preferences';
import { Keyboard, LogOut } from 'lucide-react';
import { useSession } from '../../lib/session.ts';
import { useSignOut } from '../../lib/use-sign-out.ts';
import { chooseTheme } from '../../lib/choose-theme.ts';
import { useTheme } from '../../lib/theme.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx';
import { openShortcuts } from './shortcuts-dialog.tsx';

const THEME_LABELS = { light: 'Light', dark: 'Dark', system: 'System' } as const;

/** The person at the foot of the rail: theme, shortcuts, sign-out. */
export function UserMenu({ email }: { email: string }) {
  const called = useSession().user?.name ?? email;
  const theme = useTheme();
  const signOut = useSignOut();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="mt-auto flex min-h-10 w-full items-center gap-2 rounded-lg p-2 text-left text-ink-2 hover:bg-sunken hover:text-ink pointer-coarse:min-h-11">
        <span
          aria-hidden
          className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-[11px] font-semibold text-accent"
        >
          {called.slice(0, 2).toUpperCase()}
        </span>
        <span className="min-w-0 truncate">{called}</span>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" side="top" className="w-52">
        <DropdownMenuLabel>Theme</DropdownMenuLabel>
        <DropdownMenuRadioGroup
          value={theme}
          onValueChange={(next) => {
            const choice = THEMES.find((known) => known === next);
            if (choice !== undefined) chooseTheme(choice);
          }}
        >
          {THEMES.map((choice) => (
            <DropdownMenuRadioItem key={choice} value={choice}>
              {THEME_LABELS[choice]}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={openShortcuts} className="pointer-coarse:hidden">
          <Keyboard aria-hidden className="size-4" /> Keyboard shortcuts
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => signOut.mutate()}>
          <LogOut aria-hidden className="size-4" /> Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
