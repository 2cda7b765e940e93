import { Link } from '@tanstack/react-router';
import { Ban, Copy, Ellipsis, RefreshCw, ScrollText } from 'lucide-react';
import { toast } from '../../lib/toast.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx';
import { copyText } from '../../lib/copy-text.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { menuButtonId } from './focus-return.ts';

interface KeyMenuProps {
  row: KeyRow;
  /** null if the user lacks permission, or the key has ended or was replaced. */
  onRotate: ((row: KeyRow) => void) | null;
  onRevoke: ((row: KeyRow) => void) | null;
}

export function KeyMenu({ row, onRotate, onRevoke }: KeyMenuProps) {
  const copyId = async () => {
    const isCopied = await copyText(row.id);
    if (isCopied) toast.success('Key ID copied', { description: row.id });
    else toast.error('Couldn’t copy the key ID', { description: row.id });
  };
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button id={menuButtonId(row.id)} variant="ghost" size="icon" aria-label={`Actions for ${row.name}`}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <Link to={paths.key} params={{ keyId: row.id }}>
            <ScrollText aria-hidden className="size-4" /> Show details
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void copyId()}>
          <Copy aria-hidden className="size-4" /> Copy ID
        </DropdownMenuItem>
        {onRotate !== null && (
          <DropdownMenuItem onSelect={() => onRotate(row)}>
            <RefreshCw aria-hidden className="size-4" /> Rotate…
          </DropdownMenuItem>
        )}
        {onRevoke !== null && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem isDanger onSelect={() => onRevoke(row)}>
              <Ban aria-hidden className="size-4" /> Revoke…
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
