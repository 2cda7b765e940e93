import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';

interface PaletteLoadingProps {
  onType: (text: string) => void;
  onClose: () => void;
}

/** Takes what is typed while the palette loads, so that no letter is lost or triggers a shortcut. */
export function PaletteLoading({ onType, onClose }: PaletteLoadingProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <div className="fixed inset-0 z-40 bg-veil">
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the dialog that follows; shortcuts look for the role
        role="dialog"
        aria-modal
        aria-label="Command palette"
        aria-busy
        className="mx-auto mt-[12dvh] flex max-w-[560px] items-center gap-2.5 rounded-[14px] border bg-raised px-4 shadow-pop max-sm:mx-3"
      >
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <input
          ref={input}
          aria-label="Search pages, IDs, keys, emails and models"
          onChange={({ target }) => onType(target.value)}
          onKeyDown={({ key }) => {
            if (key === 'Escape') onClose();
          }}
          className="h-12 min-w-0 flex-1 bg-transparent text-[15px] focus:outline-none pointer-coarse:text-base"
        />
      </div>
    </div>
  );
}
