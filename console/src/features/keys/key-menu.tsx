import { Ban, Copy, Ellipsis, ScrollText } from 'lucide-react';
import { toast } from 'sonner';
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
  onDetails: () => void;
  /** null: the person may not, or the key has ended already. */
  onRevoke: (() => void) | null;
}

export function KeyMenu({ row, onDetails, onRevoke }: KeyMenuProps) {
  const copyId = async () => {
    const isCopied = await copyText(row.id);
    if (isCopied) toast.success('The id is on the clipboard', { description: row.id });
    else toast.error('The browser refused to copy', { description: row.id });
  };
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button id={menuButtonId(row.id)} variant="ghost" size="icon" aria-label={`Actions for ${row.name}`}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={onDetails}>
          <ScrollText aria-hidden className="size-4" /> Show details
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void copyId()}>
          <Copy aria-hidden className="size-4" /> Copy id
        </DropdownMenuItem>
        {onRevoke !== null && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem isDanger onSelect={onRevoke}>
              <Ban aria-hidden className="size-4" /> Revoke…
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
