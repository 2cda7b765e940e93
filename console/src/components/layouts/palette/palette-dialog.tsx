import { Search } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useId, useState, type KeyboardEvent } from 'react';
import type { Account } from '../../../lib/trpc.ts';
import { matchItems } from './match-items.ts';
import type { PaletteItem } from './palette-item.ts';
import { optionId, PaletteList } from './palette-list.tsx';
import { usePaletteItems } from './use-palette-items.ts';

interface PaletteDialogProps {
  /** null: the person belongs to none. */
  account: Account | null;
  onClose: () => void;
}

/**
 * Goes anywhere and does what is done often, by a few letters: a combobox whose list is always open
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 */
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
  const id = useId();
  const [text, setText] = useState('');
  const [wantedIndex, setWantedIndex] = useState(0);
  const items = matchItems(usePaletteItems(account, text), text);
  const activeIndex = Math.min(wantedIndex, items.length - 1);
  const run = (item: PaletteItem) => {
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (items.length > 0) setWantedIndex((activeIndex + step + items.length) % items.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      const item = items[activeIndex];
      if (item !== undefined) run(item);
    }
  };
  return (
    <>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <input
          role="combobox"
          aria-label="Search pages, actions, keys and models"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={activeIndex >= 0 ? optionId(id, activeIndex) : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="Search pages, actions, keys and models"
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setWantedIndex(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-[15px] focus:outline-none pointer-coarse:text-base"
        />
      </div>
      <PaletteList id={id} items={items} activeIndex={activeIndex} onHover={setWantedIndex} onRun={run} />
      {items.length === 0 && <p className="px-4 pb-4 text-ink-2">Nothing matches “{text.trim()}”.</p>}
    </>
  );
}
