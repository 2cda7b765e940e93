import { Search } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useState } from 'react';
import type { Account } from '../../../lib/trpc.ts';
import { Command, CommandGroup, CommandInput, CommandItem, CommandList } from '../../ui/command.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { uniqueById } from '../../../lib/unique-by-id.ts';
import { Button } from '../../ui/button.tsx';
import { matchItems } from './match-items.ts';
import { PALETTE_GROUPS, type PaletteItem } from './palette-item.ts';
import { useContentSearch, type ContentSearch } from './use-content-search.ts';
import { usePaletteItems } from './use-palette-items.ts';

interface PaletteDialogProps {
  /** null if the user has no account. */
  account: Account | null;
  /** @returns what was typed before the palette was loaded */
  getInitialText: () => string;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Searches pages, actions and content. */
export function PaletteDialog({ account, getInitialText, onClose, onCloseAutoFocus }: PaletteDialogProps) {
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Primitive.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed inset-x-3 top-[12dvh] z-40 mx-auto max-w-[560px] animate-rise rounded-[14px] border bg-raised shadow-pop focus:outline-none"
        >
          <Primitive.Title className="sr-only">Command palette</Primitive.Title>
          <Palette account={account} getInitialText={getInitialText} onClose={onClose} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function Palette({ account, getInitialText, onClose }: Omit<PaletteDialogProps, 'onCloseAutoFocus'>) {
  const [text, setText] = useState(getInitialText);
  const search = useContentSearch(account, text);
  const items = matchItems(uniqueById([...usePaletteItems(account), ...search.items]), text);
  const label = 'Search pages, IDs, keys, emails and models';
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
      <SearchState search={search} isEmpty={items.length === 0} text={text.trim()} />
    </Command>
  );
}

interface SearchStateProps {
  search: ContentSearch;
  isEmpty: boolean;
  text: string;
}

function SearchState({ search, isEmpty, text }: SearchStateProps) {
  if (search.isPending)
    return <output className="block border-t px-4 py-2.5 text-[13px] text-ink-3">Searching…</output>;
  if (search.error !== null)
    return (
      <div role="alert" className="flex items-center gap-3 border-t px-4 py-2.5 text-[13px] text-ink-2">
        <span className="min-w-0 flex-1">The search failed. {describeError(search.error)}</span>
        <Button onClick={search.retry}>Try again</Button>
      </div>
    );
  return isEmpty ? <p className="px-4 pb-4 text-ink-2">Nothing matches “{text}”.</p> : null;
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
      {hint !== undefined && (
        <span className="ml-auto max-w-[50%] shrink-0 truncate font-mono text-xs text-ink-3">{hint}</span>
      )}
    </CommandItem>
  );
}
