import { Search } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useState } from 'react';
import type { Account } from '../../../lib/trpc.ts';
import { Command, CommandGroup, CommandInput, CommandItem, CommandList } from '../../ui/command.tsx';
import { matchItems } from './match-items.ts';
import { PALETTE_GROUPS, type PaletteItem } from './palette-item.ts';
import { usePaletteItems } from './use-palette-items.ts';

interface PaletteDialogProps {
  /** null if the user has no account. */
  account: Account | null;
  onClose: () => void;
}

/** Searches pages, actions, keys and models. */
export function PaletteDialog({ account, onClose }: PaletteDialogProps) {
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12dvh] z-40 mx-auto max-w-[560px] animate-rise rounded-[14px] border bg-raised shadow-pop focus:outline-none"
        >
          <Primitive.Title className="sr-only">Command palette</Primitive.Title>
          <Palette account={account} onClose={onClose} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function Palette({ account, onClose }: PaletteDialogProps) {
  const [text, setText] = useState('');
  const items = matchItems(usePaletteItems(account, text), text);
  const label = 'Search pages, actions, keys and models';
  return (
    <Command label={label}>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <CommandInput
          placeholder={label}
          value={text}
          onValueChange={setText}
          className="h-12 min-w-0 flex-1 bg-transparent text-[15px] focus:outline-none pointer-coarse:text-base"
        />
      </div>
      <CommandList label="Results" className="max-h-[min(420px,60dvh)] p-1.5">
        {PALETTE_GROUPS.filter((group) => items.some((item) => item.group === group)).map((group) => (
          <CommandGroup key={group} heading={group}>
            {items
              .filter((item) => item.group === group)
              .map((item) => (
                <PaletteOption key={item.id} item={item} onClose={onClose} />
              ))}
          </CommandGroup>
        ))}
      </CommandList>
      {items.length === 0 && <p className="px-4 pb-4 text-ink-2">Nothing matches “{text.trim()}”.</p>}
    </Command>
  );
}

function PaletteOption({ item, onClose }: { item: PaletteItem; onClose: () => void }) {
  const { group, id, icon: Icon, label, hint, run } = item;
  return (
    <CommandItem
      value={`${group} ${id}`}
      onSelect={() => {
        onClose();
        run();
      }}
      className="min-h-9 gap-2.5"
    >
      <Icon aria-hidden strokeWidth={1.8} className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 truncate">{label}</span>
      {hint !== undefined && <span className="ml-auto shrink-0 font-mono text-xs text-ink-3">{hint}</span>}
    </CommandItem>
  );
}
